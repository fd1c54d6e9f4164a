import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Stop } from '../domain/stop.js';

const SEPARATORS = /[=:,@]/;
/** No call of the kernel takes a longer path (PATH_MAX). */
const MAX_PATH = 4_096;

/**
 * Refuses arguments that spell a hidden path, or lead into a hidden folder or one above it. Symbolic links are
 * resolved. Without a sandbox, nothing else keeps a reader such as `cat` from it. A program that makes paths of its own
 * still reaches it. Of a hidden file, the path alone is refused: the folders above it are those of other files too.
 *
 * @param folder the absolute path of the current folder
 * @throws Stop `shell.hidden_path`
 */
export function checkHidden(
  words: readonly string[],
  folder: string,
  { hidden, hiddenFiles }: { readonly hidden: readonly string[]; readonly hiddenFiles: readonly string[] },
): void {
  for (const word of words) {
    // `/` as a part of a word is seldom a path: `cut -d/`.
    const parts = [...word.split(SEPARATORS), word.replace(/^-\w/, '')].filter((part) => part !== '' && part !== '/');
    const paths = [...new Set([word, ...parts])]
      .filter(({ length }) => length > 0 && length <= MAX_PATH)
      .map((path) => realOf(resolve(folder, path)));
    const names = (secret: string): boolean => word.includes(secret) || paths.includes(secret);
    const reaches = (secret: string): boolean =>
      names(secret) || paths.some((path) => contains(secret, path) || contains(path, secret));
    if (hidden.some(reaches)) throw hiddenPath(word, "leads to the folder of the runner's key, or above it");
    if (hiddenFiles.some(names)) throw hiddenPath(word, "leads to the file of the runner's token");
  }
}

const hiddenPath = (word: string, leads: string): Stop =>
  new Stop('shell.hidden_path', `${word.slice(0, 200)} ${leads}. Name a path in the workspace.`);

const contains = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);

/** The path with the links of its existing part resolved. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === '/' ? path : join(realOf(dirname(path)), basename(path));
  }
}
