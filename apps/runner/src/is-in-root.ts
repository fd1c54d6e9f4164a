import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Whether a path lies in the root, by its own name or by its real one. */
export const isInRoot = (path: string, root: string): boolean =>
  [resolve(path), realOf(path)].some((each) =>
    [root, realOf(root)].some((folder) => each.startsWith(join(folder, '/'))),
  );

/** The path without symbolic links, or as it is if nothing is there. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
