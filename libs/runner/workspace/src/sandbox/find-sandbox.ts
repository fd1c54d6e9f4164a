import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hiddenHomes } from './hidden-homes.js';
import { sandboxArguments, type Sandbox, type SandboxChoice, type SandboxView } from './sandbox.js';

/** The folders that a sandbox depends on. */
export interface SandboxFolders {
  /** The folders that bubblewrap is looked for in, in order. */
  readonly programFolders: readonly string[];
  /** Real paths of folders that exist, and that no program may read. */
  readonly hidden: readonly string[];
  /** Real paths of files that no program may read. */
  readonly hiddenFiles: readonly string[];
  /** The homes of the runner's user, which need not exist. */
  readonly homes: readonly string[];
}

/** The sandbox of a runner by its operator's choice. Looks for bubblewrap unless the operator turned it off. */
export async function findSandbox(choice: SandboxChoice, folders: SandboxFolders): Promise<Sandbox> {
  const { hidden, hiddenFiles } = folders;
  if (choice === 'off') return { kind: 'open', reason: 'the settings of the runner turn it off', hidden, hiddenFiles };
  const without = (reason: string): Sandbox =>
    choice === 'required' ? { kind: 'missing', reason } : { kind: 'open', reason, hidden, hiddenFiles };
  const path = await bubblewrapIn(folders.programFolders);
  if (path === null) return without('bubblewrap is not installed');
  const covered = await hiddenHomes(folders.homes, folders.programFolders);
  const obstacle = await obstacleOf(path, { hidden, hiddenFiles, ...covered }, folders.programFolders);
  return obstacle === null ? { kind: 'bubblewrap', path, hidden, hiddenFiles, ...covered } : without(obstacle);
}

async function bubblewrapIn(folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    const path = join(folder, 'bwrap');
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

/** Tries bubblewrap once, hidden paths included: a container or a kernel setting may forbid its namespaces. */
async function obstacleOf(
  path: string,
  covered: Pick<SandboxView, 'hidden' | 'hiddenFiles' | 'homes' | 'kept'>,
  programFolders: readonly string[],
): Promise<string | null> {
  try {
    const view = { ...covered, writable: [], visible: [], folder: '/', network: false };
    await promisify(execFile)(path, sandboxArguments(view, ['true']), {
      env: { PATH: programFolders.join(':') },
      timeout: 5_000,
    });
    return null;
  } catch (error) {
    // A program that failed says why in `stderr`.
    const said = (error as { stderr?: string }).stderr?.trim().split('\n')[0] ?? '';
    return `bubblewrap does not work on this machine: ${said}`;
  }
}
