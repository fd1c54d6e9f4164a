import { ToolRefusal } from '../domain/tool-refusal.js';
import type { EntryStat } from './entry-stat.js';
import type { Folder } from './folder.js';

/** One entry below a folder; `folder` is open only while the walk is at this entry. */
export interface WalkedEntry {
  readonly folder: Folder;
  readonly name: string;
  /** The names from the walk's start, joined with `/`. */
  readonly path: string;
  readonly stat: EntryStat;
}

export interface WalkLimits {
  readonly depth: number;
  /** Most entries of one folder. */
  readonly entries: number;
  /** False for a folder that the walk does not enter. */
  readonly enters: (entry: WalkedEntry) => boolean;
  /** Told of each folder that the walk sees in part, or not at all. */
  readonly onIncomplete: (path: string, reason: IncompleteReason) => void;
}

export type IncompleteReason = 'too_many_entries' | 'name_not_utf8' | 'not_entered';

/** All entries below a folder, a folder before its entries, each folder sorted by name. Symbolic links are entries, never followed. */
export async function* walkFolder(folder: Folder, limits: WalkLimits, above = ''): AsyncGenerator<WalkedEntry> {
  const { names, complete, unreadable } = await folder.list(limits.entries);
  if (!complete) limits.onIncomplete(above, 'too_many_entries');
  if (unreadable > 0) limits.onIncomplete(above, 'name_not_utf8');
  for (const name of names) {
    const stat = await folder.stat(name);
    // It went away since the folder was listed.
    if (stat === null) continue;
    const entry: WalkedEntry = { folder, name, path: above === '' ? name : `${above}/${name}`, stat };
    yield entry;
    if (stat.kind !== 'folder' || limits.depth <= 1 || !limits.enters(entry)) continue;
    const inner = await enterOrNull(folder, name);
    if (inner === null) {
      limits.onIncomplete(entry.path, 'not_entered');
      continue;
    }
    try {
      yield* walkFolder(inner, { ...limits, depth: limits.depth - 1 }, entry.path);
    } finally {
      await inner.close();
    }
  }
}

/** Null if the folder became something else since, is on another filesystem, or is closed to the runner. */
async function enterOrNull(folder: Folder, name: string): Promise<Folder | null> {
  try {
    return await folder.enter(name);
  } catch (problem) {
    if (problem instanceof ToolRefusal) return null;
    throw problem;
  }
}
