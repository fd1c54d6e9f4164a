import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Stop } from '../domain/stop.js';

const SEPARATORS = /[=:,@]/;
/** No call of the kernel takes a longer path (PATH_MAX). */
const LONGEST_PATH = 4_096;

/**
 * Refuses arguments that spell a hidden folder, or lead into it or to a folder above it, symbolic links resolved. Without a sandbox,
 * nothing else keeps a reader such as `cat` from it. A program that makes paths of its own still reaches it.
 *
 * @param folder the absolute path of the current folder
 * @throws Stop `shell.hidden_path`
 */
export function checkHidden(words: readonly string[], folder: string, hidden: readonly string[]): void {
  for (const word of words) {
    // `/` as a part of a word is seldom a path: `cut -d/`.
    const parts = [...word.split(SEPARATORS), word.replace(/^-\w/, '')].filter((part) => part !== '' && part !== '/');
    const paths = [...new Set([word, ...parts])]
      .filter(({ length }) => length > 0 && length <= LONGEST_PATH)
      .map((path) => realOf(resolve(folder, path)));
    for (const secret of hidden) {
      if (!word.includes(secret) && !paths.some((path) => contains(secret, path) || contains(path, secret))) continue;
      const message = `${word.slice(0, 200)} leads to the folder of the runner's key, or above it. Name a path in the workspace.`;
      throw new Stop('shell.hidden_path', message);
    }
  }
}

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
