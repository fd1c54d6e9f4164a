import { effectAt, type Effect } from './effect.js';
import type { Argument } from './inspection.js';
import { readsOutside } from './outside-paths.js';
import { holdsSecrets, namesSecret } from './paths.js';
import { withPatterns } from './read-word.js';

/** More folders, or paths of a word below them, than this count as unknown. */
const MAX_PATHS = 64;

const isWhole = (pattern: string): boolean => pattern.startsWith('/') || pattern.startsWith('~');

function joinPath(folder: string, name: string): string {
  const path = `${folder}/${name}`;
  return path.includes('//') ? path.replaceAll(/\/{2,}/g, '/') : path;
}

/** The folders that a line goes to, by one step or two. A loop may go there before the words in front of it. */
export function reachedFolders(folders: readonly Argument[]): readonly string[] {
  const patterns = folders.flatMap((folder) => folder.patterns);
  const whole = patterns.filter(isWhole);
  const steps = patterns.filter((pattern) => !isWhole(pattern));
  // A folder of the workspace that the line does not show counts as trusted.
  const begins = [...whole, ...steps.filter((step) => !step.includes('**'))];
  if (begins.length * (steps.length + 1) > MAX_PATHS) return ['/'];
  return [...begins, ...begins.flatMap((folder) => steps.map((step) => `${folder}/${step}`))];
}

/** The effect of reading a file by a relative path in such a folder, or null: `cd /run && cat secrets/db`. */
export function movedReadEffect(word: Argument, folders: readonly string[]): Effect | null {
  if (folders.length === 0) return null;
  const paths = word.patterns
    .filter((pattern) => !isWhole(pattern))
    .flatMap((pattern) => folders.map((folder) => joinPath(folder, pattern)));
  const read = withPatterns(word, paths.length > MAX_PATHS ? ['/**'] : paths);
  if (!namesSecret(read) && !holdsSecrets(read) && !readsOutside(read)) return null;
  const message = `${word.text} may hold secrets, or lie outside the workspace, in a folder that the line goes to.`;
  return effectAt(word, 'READ_ONLY', 2, 'shell.reads_outside', message);
}
