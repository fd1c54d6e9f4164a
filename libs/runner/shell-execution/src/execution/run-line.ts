import { closeSync, openSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#lib/canonical';
import { treeDigest } from '#lib/shell-safety';
import { withoutSandbox } from '#lib/workspace';
import { errorCode } from '#lib/kernel';
import { ConfinedFolders } from '../adapters/confined-folders.js';
import { findProgram } from '../adapters/find-program.js';
import { inheritedDescriptors } from '../adapters/inherited-descriptors.js';
import { EntryBudget } from '../adapters/match-files.js';
import { Pipes } from '../adapters/pipes.js';
import { Processes } from '../adapters/processes.js';
import { secretFiles, type SecretFiles } from '../adapters/secret-files.js';
import type { AuthorizedCall } from '../domain/authorize-call.js';
import type { ShellContext, ShellSettings } from '../domain/shell-call.js';
import { environmentOf } from '../domain/shell-environment.js';
import { Stop } from '../domain/stop.js';
import { checkPaths, countPipes } from './check-paths.js';
import type { Line, ShellState } from './line.js';
import { runList } from './run-list.js';
import { runWithOutput } from './run-with-output.js';
import { stopperOf } from './stopper.js';

/** Runs an authorized call. `effect` says, also after an error, whether something started. @throws Stop */
export async function runLine(
  { tree, network, checksRepository, onlyReads }: AuthorizedCall,
  context: ShellContext,
  settings: ShellSettings,
  effect: { started: boolean },
): Promise<JsonObject> {
  const began = performance.now();
  const { limits } = context;
  const { sandbox } = settings;
  if (sandbox.kind === 'missing') throw new Stop('shell.no_sandbox', withoutSandbox(sandbox.reason, 'line'));
  const root = realRoot(context.root);
  const programFolders = settings.programFolders;
  if (programFolders.some((folder) => `${realpathSync(folder)}/`.startsWith(`${root}/`))) {
    throw new Stop(
      'shell.program_folder_in_root',
      'A folder of programs lies in the workspace. Set another one for the runner.',
    );
  }
  const own = realpathSync(await mkdtemp(join(tmpdir(), 'countersign-shell-')));
  const [home, temporary] = [join(own, 'home'), join(own, 'tmp')];
  const processes = new Processes(settings.groups && { groups: settings.groups, home });
  const opened: (() => void)[] = [];
  const stopping = stopperOf(context.signal, limits.timeMs);
  try {
    for (const folder of [home, temporary]) await mkdir(folder, { mode: 0o700 });
    const folders = new ConfinedFolders([root, home, temporary]);
    opened.push(() => {
      folders.close();
    });
    checkPaths(tree.list, folders, programFolders, root);
    const mkfifo = findProgram('mkfifo', programFolders, root, root).path;
    const pipes = await Pipes.create(join(own, 'pipes'), 2 + countPipes(tree.list), mkfifo);
    const nothing = openSync('/dev/null', 'r+');
    opened.push(() => {
      closeSync(nothing);
    });
    const secrets = onlyReads && sandbox.kind === 'bubblewrap' ? await secretFiles(root, stopping.signal) : null;
    const line: Line = {
      ...{
        root,
        folders,
        pipes,
        processes,
        limits,
        programFolders,
        sandbox,
        network,
        nothing,
        checksRepository,
        onlyReads,
      },
      budget: new EntryBudget(limits.entries),
      environment: environmentOf({ programFolders, added: settings.environment, home, temporary }),
      view: {
        writable: onlyReads ? [home, temporary] : [home, temporary, root],
        visible: onlyReads ? [root] : [],
      },
      secrets: secrets ?? { paths: [], ofGit: [] },
      inherited: inheritedDescriptors(),
      signal: stopping.signal,
      stop: stopping.stop,
      began: () => {
        effect.started = true;
      },
    };
    const state: ShellState = { folder: [], status: 0 };
    const [stdout, stderr] = await runWithOutput(line, context, async (descriptors) => {
      await runList(tree.list, line, state, descriptors);
    });
    return {
      exit_status: state.status,
      stdout: stdout.text,
      stderr: stderr.text,
      stdout_truncated: stdout.truncated,
      stderr_truncated: stderr.truncated,
      sandbox: sandbox.kind === 'open' ? 'none' : sandbox.kind,
      sandbox_reason: sandbox.kind === 'open' ? sandbox.reason : null,
      network: network || sandbox.kind === 'open',
      secret_files: shownSecrets(secrets),
      tree_digest: treeDigest(tree),
      duration_ms: Math.round(performance.now() - began),
    };
  } finally {
    stopping.done();
    for (const close of opened) close();
    await rm(own, { recursive: true, force: true });
  }
}

/** @throws Stop `shell.no_root` if the folder of the workspace was moved or removed. */
function realRoot(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new Stop(
      'shell.no_root',
      `The folder of the workspace is not there (${errorCode(error) ?? ''}). Put it back on the runner’s machine, then call again.`,
    );
  }
}

/** Whether the programs of a line could read files that may hold secrets. A member called `secrets` would be masked on its way. */
function shownSecrets(found: SecretFiles | null): 'readable' | 'hidden' | 'partly_hidden' {
  if (found === null) return 'readable';
  return found.complete ? 'hidden' : 'partly_hidden';
}
