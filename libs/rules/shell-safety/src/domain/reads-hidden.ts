import { dashedPatterns } from './dashed-patterns.js';
import type { Argument } from './inspection.js';
import { mayMatchSecret } from './paths.js';
import type { ReadCall } from './read-call.js';

const HIDDEN: ReadonlySet<string> = new Set(['-.', '--hidden']);
const UNRESTRICTED: ReadonlySet<string> = new Set(['-u', '--unrestricted']);
const CHOOSES: ReadonlySet<string> = new Set(['--include', '-g', '--glob', '--iglob', '-G', '--file-search-regex']);
const LISTS: ReadonlySet<string> = new Set(['--files', '--type-list']);

/** Programs that tell facts of files, and not their text. */
const TELLS_NO_TEXT: ReadonlySet<string> = new Set(
  'ls stat wc du file basename dirname echo readlink realpath test [ true md5sum sha1sum sha256sum sha512sum cksum'.split(
    ' ',
  ),
);

/** True if the program, which a path may lead to, tells facts of files, and not their text. */
export const tellsNoText = (program: string): boolean => TELLS_NO_TEXT.has(program.slice(program.lastIndexOf('/') + 1));

/**
 * The word by which a search of everything below a folder reads hidden files too; null if it reads none. A folder with
 * a name of its own is trusted. So is a choice of names that no secret has. A wider folder is not: the root of a
 * workspace holds `.env`.
 *
 * @param program the word of the program, if no other word shows it
 */
export function hiddenRead(
  program: Argument,
  call: ReadCall,
  operands: readonly Argument[] = call.operands,
  recurses = call.recurses,
): Argument | null {
  const { mode } = call;
  if (!mode.recursive && !recurses) return null;
  const chosen = call.options.flatMap(({ name, value }) => (CHOOSES.has(name) && value !== null ? [value] : []));
  const shown = chosen.filter((word) => !word.prefix.startsWith('!'));
  // A choice of rg unhides the files that it names.
  const secret = shown.find(mayMatchSecret);
  if (secret !== undefined) return secret;
  const has = (names: ReadonlySet<string>) => call.options.filter(({ name }) => names.has(name)).length;
  if (shown.length > 0 || has(LISTS) > 0) return null;
  // rg skips them, but for `-uu`; ag does, but for `-u`; ack does not.
  const unrestricted =
    has(UNRESTRICTED) >= (program.value === 'rg' ? 2 : 1) || program.value?.startsWith('ack') === true;
  if (!recurses && has(HIDDEN) === 0 && !unrestricted) return null;
  const given = call.options.some(({ name }) => ['-e', '-f', '--regexp', '--file'].includes(name));
  const searches = mode.operands === 'pattern_then_reads' && !given;
  return wideFolder(program, searches ? operands.slice(1) : operands);
}

/** True if the program would read hidden files by an option that a word may turn out to be: `grep $x KEY .` with `-r`. */
export function hiddenIfRecursive(program: Argument, call: ReadCall): boolean {
  const { open, operands } = call;
  if (open.length === 0 || !call.mode.mayRecurse) return false;
  const named = operands.filter((word) => !open.includes(word));
  return hiddenRead(program, call, named, true) !== null;
}

/** A literal character that stands in no option but in the value of one: `*.log` finds no `-r`, and may find `-re.log`. */
const BEYOND_OPTIONS = /[^\w*?[\]{}()|!^,=-]|_/;

/**
 * The first glob that may find a file whose name is an option of recursion: `grep KEY *` beside a file called `-r`; null
 * if none may. With that option the program reads hidden files. The value of such an option may be a pattern, so
 * that the first operand is a folder then.
 */
export function globOfRecursion(program: Argument, { open, options, operands, mode }: ReadCall): Argument | null {
  const given = options.some(({ name }) => ['-e', '-f', '--regexp', '--file'].includes(name));
  const [pattern] = operands;
  const narrow =
    mode.operands === 'pattern_then_reads' &&
    !given &&
    pattern !== undefined &&
    wideFolder(program, [pattern]) === null;
  return open.find((word) => dashedPatterns(word).some((each) => !(narrow && BEYOND_OPTIONS.test(each)))) ?? null;
}

/** The word by which `find` passes hidden files to a program that shows their text; null if it passes none. */
export function hiddenPassed(program: Argument, words: readonly Argument[], call: ReadCall): Argument | null {
  const shows = call.clauses.some(([first]) => !TELLS_NO_TEXT.has(first?.value ?? ''));
  return shows ? hiddenFound(program, words, call.operands) : null;
}

/** The word by which `find` finds hidden files. Null if its folders have names of their own, or it wants names that no secret has. */
export function hiddenFound(
  program: Argument,
  words: readonly Argument[],
  operands: readonly Argument[],
): Argument | null {
  let [narrows, joins, groups, negates] = [false, false, false, false];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    if (at > 0 && isName(words[at - 1])) {
      if (mayMatchSecret(word)) return word;
      narrows ||= !isNegation(words[at - 2]);
    }
    joins ||= word.value === '-o' || word.value === '-or' || word.value === ',';
    groups ||= word.value === '(';
    negates ||= isNegation(word);
  }
  if (narrows && !joins && !(groups && negates)) return null;
  return wideFolder(program, operands.filter(isFolder));
}

const isNegation = (word: Argument | undefined): boolean => word?.value === '!' || word?.value === '-not';

/** True of an operand of find before its expression, which begins with one of the signs. */
const isFolder = ({ value }: Argument): boolean => value === null || !SIGNS.has(value);

const SIGNS: ReadonlySet<string> = new Set(['!', '(', ')', ',']);

const isName = (word: Argument | undefined): boolean => word?.value === '-name' || word?.value === '-iname';

/**
 * A folder that holds more than the project's own source. It is the current one, one above it, or one of the root or an
 * expansion.
 */
const wideFolder = (program: Argument, folders: readonly Argument[]): Argument | null =>
  folders.length === 0 ? program : (folders.find(({ patterns }) => !patterns.every(isNarrow)) ?? null);

const isNarrow = (pattern: string): boolean => {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  return names.length > 0 && !/^[/~*?]/.test(pattern) && !names.includes('..') && !names[0]?.startsWith('*');
};
