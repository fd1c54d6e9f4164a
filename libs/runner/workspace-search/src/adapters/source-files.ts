import { isSecretPath } from '#lib/shell-safety';
import { textOf, ToolRefusal, walkFolder, type Folder, type WalkedEntry } from '#lib/workspace';
import { IgnoreRules } from '../domain/ignore-rules.js';
import { isWithin, type IndexLimits, type LeftOut } from '../domain/search-job.js';

/** Folders of tools, without a .gitignore too. */
const NEVER_ENTERED = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.venv']);
const MAX_DEPTH = 64;
const IGNORE_BYTES = 100_000;

/** A walk through a workspace. */
export interface SourceWalk extends Pick<IndexLimits, 'entries'> {
  /** The folder or file that is wanted, from the root; empty for all. */
  readonly below: string;
  /** Hears of the files that are left out. They are in .gitignore, may hold secrets, or are symbolic links. */
  readonly leave: (reason: LeftOut) => void;
  /** Asked at each entry. The walk ends if it is true. */
  readonly isOver: () => boolean;
}

/** The files of a workspace that an index may hold. Of the folders above the wanted one, it enters no other. */
export async function* sourceFiles(
  root: Folder,
  { entries, below, leave, isOver }: SourceWalk,
): AsyncGenerator<WalkedEntry> {
  const rules = new Map<string, IgnoreRules>([['', await rulesIn(root, '', IgnoreRules.NONE)]]);
  const walk = walkFolder(root, {
    depth: MAX_DEPTH,
    entries,
    enters: ({ path }) => rules.has(path),
    onIncomplete: (_path, reason) => {
      leave(reason === 'too_many_entries' ? 'beyond_bounds' : 'unreadable');
    },
  });
  for await (const entry of walk) {
    if (isOver()) return;
    const { path, name, stat } = entry;
    if (!isWithin(path, below) && !isWithin(below, path)) continue;
    const above = rules.get(path.slice(0, Math.max(path.lastIndexOf('/'), 0))) ?? IgnoreRules.NONE;
    const isFolder = stat.kind === 'folder';
    if (isFolder && NEVER_ENTERED.has(name)) continue;
    if (above.leavesOut(path, isFolder)) leave('ignored');
    else if (isSecretPath(path)) leave('secret_file');
    else if (isFolder) rules.set(path, await rulesBelow(entry, above));
    else if (stat.kind === 'file') {
      if (isWithin(path, below)) yield entry;
    } else leave('not_a_plain_file');
  }
}

/** The rules for all that is below a folder. A folder that cannot be entered has none of its own; the walk reports it. */
async function rulesBelow({ folder, name, path }: WalkedEntry, above: IgnoreRules): Promise<IgnoreRules> {
  let inner: Folder;
  try {
    inner = await folder.enter(name);
  } catch (problem) {
    if (problem instanceof ToolRefusal) return above;
    throw problem;
  }
  try {
    return await rulesIn(inner, path, above);
  } finally {
    await inner.close();
  }
}

async function rulesIn(folder: Folder, path: string, above: IgnoreRules): Promise<IgnoreRules> {
  try {
    const { content } = await folder.read('.gitignore', IGNORE_BYTES);
    const text = textOf(content);
    return text === null ? above : above.with(path, text);
  } catch (problem) {
    // There is none, or it is no plain file: git follows no link there either.
    if (problem instanceof ToolRefusal) return above;
    throw problem;
  }
}
