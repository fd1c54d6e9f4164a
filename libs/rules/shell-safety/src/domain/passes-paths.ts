import type { CommandNode, Redirection } from 'unbash';
import type { CommandTable } from './command-table.js';
import type { Argument, Call } from './inspection.js';
import { readsOutside } from './outside-paths.js';
import { FILTERS, LISTERS } from './path-printers.js';
import { holdsSecrets, namesSecret } from './paths.js';
import type { Place } from './place.js';
import { readCall, type ReadCall } from './read-call.js';
import { readWord } from './read-word.js';
import type { Surroundings } from './reader.js';
import { hiddenFound } from './reads-hidden.js';

/** Options by which no operand is a pattern. */
const GIVES_PATTERN: ReadonlySet<string> = new Set(['-e', '--regexp', '--files']);

/** The ends of paths: NUL, newlines, or newlines of git, which quotes a path that holds one. */
type Ends = 'nul' | 'newline' | 'quoted';

/**
 * The ends of paths if xargs gets nothing but paths of files in the workspace, and outside folders that hold secrets:
 * `find src | sort | xargs grep x`. Null for the output of any other command, and any file, which may name any file: `echo … | base64 -d | xargs cat`.
 */
export function endsOfPaths({ input, redirections }: Surroundings, table: CommandTable): Ends | null {
  if (input === null || redirections.some(feeds)) return null;
  const { pipeline, operators, count, place } = input;
  // In a group, another command can read the beginning of a path first: `find src -print0 | { head -c 5; xargs -0 cat; }`.
  if (pipeline[count]?.type !== 'Command' || operators.slice(0, count).some((operator) => operator !== '|'))
    return null;
  const [first, ...filters] = pipeline.slice(0, count);
  const ends = first === undefined ? null : endsOf('list', first, place, table);
  if (ends === null) return null;
  for (const filter of filters) {
    const kept = endsOf('filter', filter, place, table);
    if (kept === null) return null;
    // A line of a text by NUL, or a NUL in a line, cuts paths elsewhere.
    if ((kept === 'nul') !== (ends === 'nul')) return 'newline';
  }
  return ends;
}

/** True if a path may begin with a dash. Those of find do not, and those below a folder that the line names: `rg -l x src`. */
export function mayBeOptions({ input }: Surroundings, table: CommandTable): boolean {
  const [first] = input?.pipeline ?? [];
  if (input === null || first?.type !== 'Command') return true;
  const name = first.name?.value ?? '';
  const words = first.suffix.flatMap((node) => (node.type === 'Word' ? [readWord(node, input.place)] : []));
  const ready = table.get(name);
  if (name === 'find' || ready === undefined) return name !== 'find';
  const { operands, options } = readCall(words, ready);
  const folders = operands.slice(has(options, GIVES_PATTERN) || name === 'git' ? 0 : 1);
  return name === 'git' || folders.length === 0 || folders.some(({ prefix }) => !/^\w/.test(prefix));
}

/**
 * True if xargs takes each path for one word. Names hold blanks and newlines: a folder `a ` with `etc/shadow` in it is the words `a` and
 * `/etc/shadow` otherwise.
 */
export function takesWholePaths(ends: Ends, { options }: Call): boolean {
  const has = (...names: string[]): boolean => options.some(({ name }) => names.includes(name));
  const delimiters = options.filter(({ name }) => name === '-d' || name === '--delimiter');
  if (ends === 'nul') return has('-0', '--null') && delimiters.length === 0;
  const [only, another] = delimiters;
  const byLine = only?.value?.value === '\\n' || only?.value?.value === '\n';
  return ends === 'quoted' && byLine && another === undefined && !has('-0', '--null', '-I', '-i', '-J', '--replace');
}

const feeds = ({ type, ...redirection }: Redirection): boolean =>
  type !== 'Redirect' || ('operator' in redirection && redirection.operator.startsWith('<'));

/** True of `2>/dev/null`. A complaint among the paths (`2>&1`) holds any text that the line gave the program. */
const dropsComplaints = (redirection: Redirection): boolean =>
  redirection.type === 'Redirect' &&
  redirection.operator.startsWith('>') &&
  redirection.descriptor?.type === 'FileDescriptor' &&
  redirection.descriptor.value === 2 &&
  redirection.target?.value === '/dev/null';

function endsOf(kind: 'list' | 'filter', command: CommandNode, place: Place, table: CommandTable): Ends | null {
  if (command.type !== 'Command' || command.prefix.length > 0) return null;
  if (!command.redirects.every(dropsComplaints)) return null;
  const name = command.name?.value ?? '';
  const ready = table.get(name);
  if (ready === undefined) return null;
  const words: Argument[] = command.suffix.flatMap((node) => (node.type === 'Word' ? [readWord(node, place)] : []));
  if (words.some((word) => namesSecret(word) || holdsSecrets(word) || readsOutside(word))) return null;
  const call = readCall(words, ready);
  if (call.unlisted.length > 0) return null;
  return kind === 'filter' ? endsOfFilter(name, words, call) : endsOfLister(name, words, call);
}

function endsOfFilter(name: string, words: readonly Argument[], { options, operands }: ReadCall): Ends | null {
  const filter = FILTERS[name];
  if (filter === undefined || words.some(({ value }) => value === null)) return null;
  const { takesPattern, byNul, allows } = filter;
  const given = options.some((option) => option.name === '-e' || option.name === '--regexp');
  // Another operand is a file, which holds any text.
  if (operands.length > (takesPattern && !given ? 1 : 0)) return null;
  if (!only(options, byNul, allows)) return null;
  return has(options, byNul) ? 'nul' : 'newline';
}

function endsOfLister(name: string, words: readonly Argument[], call: ReadCall): Ends | null {
  const { options, operands, subcommand } = call;
  const lister = LISTERS[subcommand === '' ? name : `${name} ${subcommand}`];
  // A glob may give an option: grep -L prints a file called `--label=.env`.
  if (lister === undefined || call.open.length > 0) return null;
  const { needs, byNul, allows } = lister;
  if (!only(options, needs, byNul, allows) || (needs.size > 0 && !has(options, needs))) return null;
  const [first] = words;
  if (name === 'find' && (first === undefined || hiddenFound(first, words, operands) !== null)) return null;
  if (subcommand === 'diff' && !commitsOf(words, operands).every(isOwnCommit)) return null;
  if (has(options, byNul)) return 'nul';
  return name === 'git' ? 'quoted' : 'newline';
}

/** The operands before `--`. */
function commitsOf(words: readonly Argument[], operands: readonly Argument[]): readonly Argument[] {
  const end = words.findIndex(({ value }) => value === '--');
  return end < 0 ? operands : operands.filter((word) => words.indexOf(word) < end);
}

/** Commits on the way to the current one. Any other may track a file by the name of a secret, and git prints that name. */
const isOwnCommit = ({ value }: Argument): boolean => value !== null && /^HEAD(?:[~^]\d*)*$/.test(value);

const has = (options: ReadCall['options'], names: ReadonlySet<string>): boolean =>
  options.some(({ name }) => names.has(name));

const only = (options: ReadCall['options'], ...names: readonly ReadonlySet<string>[]): boolean =>
  options.every(({ name }) => names.some((each) => each.has(name)));
