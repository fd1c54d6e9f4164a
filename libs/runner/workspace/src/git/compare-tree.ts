import type { ToolContext } from '../domain/runner-tool.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import type { EntryStat } from '../files/entry-stat.js';
import type { Folder } from '../files/folder.js';
import { inFolder } from '../files/locate.js';
import { walkFolder, type WalkedEntry } from '../files/walk-folder.js';
import { blobId, contentOfEntry, modeOf } from './blob-object.js';
import type { IndexEntry } from './read-index.js';

export interface TreeChange {
  readonly path: string;
  readonly change: 'modified' | 'deleted';
}

/** The working tree against the index, as opened folders show it. */
export interface TreeComparison {
  readonly changes: readonly TreeChange[];
  /** Files and whole folders that the index does not have; a folder ends in `/`. .gitignore has not been asked yet. */
  readonly untracked: readonly string[];
  readonly truncated: boolean;
}

const MAX_DEPTH = 64;

/**
 * Compares the working tree with the index. A file with the size and time that git remembers is unchanged. If it could
 * have been written in the same moment as the index, its content is compared.
 */
export async function compareTree(
  root: Folder,
  index: readonly IndexEntry[],
  indexMtimeNs: bigint,
  { limits, signal }: ToolContext,
): Promise<TreeComparison> {
  const missing = new Map(
    index.filter(({ assumed, mode }) => !assumed && mode !== '160000').map((entry) => [entry.path, entry]),
  );
  const tracked = new Set(index.map(({ path }) => path));
  const folders = foldersOf(index);
  const changes: TreeChange[] = [];
  const untracked: string[] = [];
  let [seen, truncated] = [0, false];
  const walk = walkFolder(root, {
    depth: MAX_DEPTH,
    entries: limits.entries,
    enters: ({ path }) => folders.has(path),
    onIncomplete: () => (truncated = true),
  });
  for await (const entry of walk) {
    signal.throwIfAborted();
    const { path, stat } = entry;
    if (path === '.git') continue;
    truncated ||= (seen += 1) > limits.entries;
    if (truncated) break;
    const known = missing.get(path);
    if (stat.kind === 'folder') {
      if (!folders.has(path) && !tracked.has(path) && (await holdsSomething(entry))) untracked.push(`${path}/`);
    } else if (known !== undefined) {
      missing.delete(path);
      if (await isModified(entry, known, indexMtimeNs, limits.fileBytes)) changes.push({ path, change: 'modified' });
    } else if (!tracked.has(path)) untracked.push(path);
  }
  if (!truncated) changes.push(...[...missing.keys()].map((path) => ({ path, change: 'deleted' as const })));
  return { changes, untracked, truncated };
}

async function isModified(
  { folder, name, stat }: WalkedEntry,
  known: IndexEntry,
  indexMtimeNs: bigint,
  most: number,
): Promise<boolean> {
  if (gitModeOf(stat) !== known.mode) return true;
  const remembered = stat.size % 2 ** 32 === known.size && stat.mtimeNs === known.mtimeNs;
  if (remembered && known.mtimeNs < indexMtimeNs) return false;
  try {
    const { content } = await contentOfEntry(folder, name, stat, most);
    return blobId(content, known.id.length) !== known.id;
  } catch (problem) {
    // Too large, or with a second name: git's memory of it differs, and no tool reads it.
    if (problem instanceof ToolRefusal) return true;
    throw problem;
  }
}

/** Every folder that holds a file of the index, at any depth. */
function foldersOf(index: readonly IndexEntry[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of index) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

const holdsSomething = async ({ folder, name }: WalkedEntry): Promise<boolean> => {
  try {
    return await inFolder(folder, [name], async (inner) => (await inner.list(1)).names.length > 0);
  } catch (problem) {
    if (problem instanceof ToolRefusal) return false;
    throw problem;
  }
};

const gitModeOf = (stat: EntryStat): string | null =>
  stat.kind === 'symlink' ? '120000' : stat.kind === 'file' ? modeOf(stat.mode) : null;
