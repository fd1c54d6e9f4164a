import type { Argument } from './inspection.js';

/**
 * Folders of the machine, below which reads belong to an everyday diagnosis. Secrets in them are listed on their own.
 */
const OF_THE_MACHINE = new Set('bin boot etc lib lib32 lib64 proc sbin sys tmp usr'.split(' '));
const OF_THE_MACHINE_TOO =
  /^\/(?:var\/(?:log|tmp)|run|dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd|tty))(?:\/|$)/;

/**
 * True if reading the word reads a file outside the workspace behind an innocent name. Such a path climbs above the folder of the
 * line, or begins at the home of another user. An absolute path is one, too, if it lies outside the machine's own folders.
 *
 * An unknown text counts as a name in the workspace, and as no folder that `..` leads back to.
 */
export function readsOutside({ patterns }: Argument): boolean {
  for (const pattern of patterns) {
    if (isOutside(pattern)) return true;
    const equals = pattern.indexOf('=');
    if (equals >= 0 && isOutside(pattern.slice(equals + 1))) return true;
  }
  return false;
}

const SLASH = 47;
const TILDE = 126;

function isOutside(pattern: string): boolean {
  const first = pattern.charCodeAt(0);
  if (first !== SLASH && first !== TILDE && !pattern.includes('..')) return false;
  if (/^~[^/]/.test(pattern)) return true;
  const names = namesOf(pattern);
  if (!pattern.startsWith('/')) return names.includes('..');
  const path = `/${names.join('/')}`;
  return names.length > 0 && !OF_THE_MACHINE.has(names[0] ?? '') && !OF_THE_MACHINE_TOO.test(path);
}

/** The names of a path, `.` and `x/..` resolved. */
function namesOf(path: string): readonly string[] {
  const names: string[] = [];
  for (const name of path.split('/')) {
    const before = names.at(-1);
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (before === undefined) {
      if (!path.startsWith('/')) names.push(name);
    } else if (before === '..' || before.includes('**')) names.push(name);
    else names.pop();
  }
  return names;
}
