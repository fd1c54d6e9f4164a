import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isInRoot, realOf } from '../is-in-root.js';
import type { ListedServer } from './listed-server.js';

/** Variables that lead interpreters and loaders to folders with code. */
const CODE_FOLDERS: ReadonlySet<string> = new Set(
  'PATH LD_LIBRARY_PATH NODE_PATH PYTHONPATH PYTHONHOME PERL5LIB RUBYLIB CLASSPATH'.split(' '),
);

/**
 * A path in the root that a server would take code from. That is its program, its working directory, or a file in its arguments
 * or its environment. Tools write there, so their files would run as the runner's user. A folder in the arguments is data for the
 * server.
 *
 * @returns the path as the list names it; null if there is none.
 */
export function pathInRoot(
  { program, arguments: args, environment, folder }: Omit<ListedServer, 'name' | 'secrets' | 'timeLimitSeconds'>,
  root: string,
): string | null {
  if (isInRoot(program, root)) return program;
  if (isRootOrIn(folder, root)) return folder;
  const inRoot = (word: string): boolean => isRootOrIn(resolve(folder, word), root);
  for (const word of args.flatMap(wordsOf)) if (inRoot(word) && !isFolder(resolve(folder, word))) return word;
  for (const [name, value] of Object.entries(environment))
    for (const word of wordsOf(value))
      if (inRoot(word) && (CODE_FOLDERS.has(name) || !isFolder(resolve(folder, word)))) return word;
  return null;
}

/** The text itself, and the paths in the likes of `--require=a.js` and `a.js:b.js`. */
const wordsOf = (text: string): readonly string[] =>
  [text, ...text.split(/[\s=:,;]+/)].filter((word) => word !== '' && !word.includes('\0'));

const isRootOrIn = (path: string, root: string): boolean =>
  isInRoot(path, root) || [resolve(path), realOf(path)].some((each) => [root, realOf(root)].includes(each));

/** A path with nothing there yet is none: a tool could make a file of it. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
