import { ToolRefusal } from '../domain/tool-refusal.js';
import type { Repository } from './repository.js';

/** A file of git's index. */
export interface IndexEntry {
  readonly path: string;
  /** git's mode: 100644, 100755, 120000 for a symbolic link, 160000 for a submodule. */
  readonly mode: string;
  readonly id: string;
  /** The size and time of the file when git last compared it. */
  readonly size: number;
  readonly mtimeNs: bigint;
  /** True for a file that a sparse checkout leaves out, or that git is told to take as unchanged. */
  readonly assumed: boolean;
}

// Each entry is `H 100644 <id> <stage>\t<path>`, a NUL, and five lines with git's memory of the file.
const ENTRY =
  /(\S) (\d{6}) ([0-9a-f]+) ([0-3])\t([^\0]+)\0 {2}ctime: \d+:\d+\n {2}mtime: (\d+):(\d+)\n {2}dev: .*\n {2}uid: .*\n {2}size: (\d+)\t.*\n/y;

/** @throws {ToolRefusal} `workspace.git_unmerged` during a merge with conflicts. */
export async function readIndex(repository: Repository): Promise<readonly IndexEntry[]> {
  const { text } = await repository.git(['ls-files', '-z', '--stage', '-v', '--debug']);
  const entries: IndexEntry[] = [];
  for (let at = 0; at < text.length;) {
    ENTRY.lastIndex = at;
    const found = ENTRY.exec(text);
    if (found === null)
      throw new ToolRefusal('workspace.git_failed', 'The index of git could not be read. Update git.');
    const [all, tag, mode = '', id = '', stage, path = '', seconds = '0', nanoseconds = '0', size = '0'] = found;
    if (stage !== '0') {
      throw new ToolRefusal(
        'workspace.git_unmerged',
        'A merge has conflicts that are not resolved. Resolve them first.',
      );
    }
    entries.push({
      path,
      mode,
      id,
      size: Number(size),
      mtimeNs: BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds),
      assumed: tag !== 'H',
    });
    at += all.length;
  }
  return entries;
}
