import type { ToolLimits } from '../domain/runner-tool.js';
import { utf8Of, type Folder } from '../files/folder.js';
import { walkFolder } from '../files/walk-folder.js';

export interface Measure {
  readonly bytes: number;
  readonly entries: number;
  /** The reason why a snapshot of the tree would not be complete; null if it would. */
  readonly obstacle: string | null;
}

/** Depth and entries at which a measure stops: enough for the prompt to say that there is no way back. */
const MAX_DEPTH = 64;

/** The permission to read, for owner, group and others. */
const FOR_ALL = 0o444;

/** The size of all files below a folder, and whether a snapshot can hold them. */
export async function measureTree(folder: Folder, limits: ToolLimits, signal: AbortSignal): Promise<Measure> {
  const seen = { bytes: 0, entries: 0, obstacle: null as string | null };
  const walk = walkFolder(folder, {
    // One more, so that `enters` is asked about a folder that is too deep.
    depth: MAX_DEPTH + 1,
    entries: limits.entries,
    enters: ({ path }) => path.split('/').length < MAX_DEPTH || note(seen, `${path} is too deep`),
    onIncomplete: (path, reason) => note(seen, `${path === '' ? 'the root' : path}: ${reason.replaceAll('_', ' ')}`),
  });
  for await (const { folder: parent, name, path, stat } of walk) {
    signal.throwIfAborted();
    seen.entries += 1;
    if (stat.kind === 'file') {
      seen.bytes += stat.size;
      // A file that everybody may read is not opened.
      if ((stat.mode & FOR_ALL) !== FOR_ALL && !(await parent.isReadable(name)))
        note(seen, `${path} is closed to the runner`);
    } else if (stat.kind === 'special') note(seen, `${path} is a pipe, socket or device`);
    else if (stat.kind === 'symlink' && utf8Of(await parent.readSymlink(name)) === null)
      note(seen, `${path} leads to a name that is not UTF-8`);
    if (seen.entries > limits.entries) {
      note(seen, `there are more than ${String(limits.entries)} files and folders`);
      break;
    }
  }
  if (seen.bytes > limits.snapshotBytes) note(seen, `there are more than ${String(limits.snapshotBytes)} bytes`);
  return seen;
}

function note(seen: { obstacle: string | null }, obstacle: string): false {
  seen.obstacle ??= obstacle;
  return false;
}
