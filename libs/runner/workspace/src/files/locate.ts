import { realpath } from 'node:fs/promises';
import { codeOf } from './entry-stat.js';
import { Folder } from './folder.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { said } from '../domain/workspace-path.js';

/**
 * Opens the root for one call and closes it afterwards.
 *
 * @throws {ToolRefusal} `workspace.unsupported_platform` elsewhere than on Linux: only /proc/self/fd confines a path to the root;
 *   `workspace.no_root`.
 */
export async function withRoot<T>(
  path: string,
  use: (root: Folder) => Promise<T>,
  platform = process.platform,
): Promise<T> {
  if (platform !== 'linux') {
    throw new ToolRefusal(
      'workspace.unsupported_platform',
      `Workspace tools run on Linux alone, and this runner is on ${platform}. Run it in a Linux container.`,
    );
  }
  const root = await Folder.open(path).catch((problem: unknown) => {
    throw noRoot(problem);
  });
  try {
    return await use(root);
  } finally {
    await root.close();
  }
}

/** The root without symbolic links on its way. @throws {ToolRefusal} `workspace.no_root`. */
export async function realRoot(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (problem) {
    throw noRoot(problem);
  }
}

/** The refusal if the root itself was moved or removed; nothing has been changed then. */
const noRoot = (problem: unknown): ToolRefusal =>
  new ToolRefusal(
    'workspace.no_root',
    `The folder of the workspace is not there (${codeOf(problem)}). Put it back on the runner’s machine, then call again.`,
  );

/** Follows names from the root, folder by folder, and closes all of them afterwards. */
export async function inFolder<T>(
  root: Folder,
  names: readonly string[],
  use: (folder: Folder) => Promise<T>,
): Promise<T> {
  const [next, ...others] = names;
  if (next === undefined) return await use(root);
  const folder = await root.enter(next);
  try {
    return await inFolder(folder, others, use);
  } finally {
    await folder.close();
  }
}

/** The folder of an entry, and the entry's own name. */
export async function atEntry<T>(
  root: Folder,
  names: readonly string[],
  use: (folder: Folder, name: string) => Promise<T>,
): Promise<T> {
  const name = names.at(-1);
  if (name === undefined) throw new ToolRefusal('workspace.invalid_path', `${said('.')} is the root itself.`);
  return await inFolder(root, names.slice(0, -1), (folder) => use(folder, name));
}

/** Makes the folders that are missing on the way. */
export async function makeFolders(root: Folder, names: readonly string[]): Promise<void> {
  for (let depth = 1; depth <= names.length; depth++) {
    await atEntry(root, names.slice(0, depth), async (folder, name) => {
      if ((await folder.stat(name)) === null) await folder.makeFolder(name);
    });
  }
}
