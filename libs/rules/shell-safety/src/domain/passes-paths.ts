import type { Command, CommandNode, Redirection } from 'unbash';
import { ownMember } from '#lib/canonical';
import type { Argument, Call } from './inspection.js';
import { readsOutside } from './outside-paths.js';
import { FILTERS, LISTERS } from './path-printers.js';
import { holdsSecrets, namesSecret } from './paths.js';
import type { ReadCall } from './read-call.js';
import type { CommandContext } from './reader.js';
import { hiddenFound } from './reads-hidden.js';

type Names = ReadonlySet<string>;

/** Options by which no operand is a pattern. */
const GIVES_PATTERN: Names = new Set(['-e', '--regexp', '--files']);

/** The ends of paths: NUL, newlines, or newlines of git, which quotes a path that holds one. */
type Ends = 'nul' | 'newline' | 'quoted';

/**
 * The ends of paths if xargs gets only paths of files in the workspace, outside folders that hold secrets:
 * `find src | sort | xargs grep x`. Null for the output of any other command, and any file, which may name any file:
 * `echo … | base64 -d | xargs cat`.
 */
export function endsOfPaths({ input, redirections }: CommandContext): Ends | null {
  if (input === null || redirections.some(feeds)) return null;
  const { pipeline, operators, count, calls } = input;
  // In a group, another command can read the beginning of a path first: `find src -print0 | { head -c 5; xargs -0 cat; }`.
  if (pipeline[count]?.type !== 'Command') return null;
  let ends: Ends | null = null;
  for (let at = 0; at < count; at++) {
    if (operators[at] !== '|') return null;
    const kept: Ends | null = endsOf(at === 0 ? 'list' : 'filter', pipeline[at], calls[at] ?? null);
    if (kept === null) return null;
    // A line of a text by NUL, or a NUL in a line, cuts paths elsewhere.
    if (ends !== null && (kept === 'nul') !== (ends === 'nul')) return 'newline';
    ends ??= kept;
  }
  return ends;
}

/** True if a path may begin with a dash. Those of find do not, and those below a folder that the line names: `rg -l x src`. */
export function mayBeOptions({ input }: CommandContext): boolean {
  const call = input?.calls[0] ?? null;
  if (call === null || input?.pipeline[0]?.type !== 'Command') return true;
  const name = nameOf(input.pipeline[0]);
  if (name === 'find') return false;
  const { operands, options } = call;
  const folders = operands.slice(has(options, GIVES_PATTERN) || name === 'git' ? 0 : 1);
  return name === 'git' || folders.length === 0 || folders.some(({ prefix }) => !/^\w/.test(prefix));
}

/**
 * True if xargs takes each path for one word. Names hold blanks and newlines: a folder `a ` with `etc/shadow` in it is the words `a` and
 * `/etc/shadow` otherwise.
 */
export function takesWholePaths(ends: Ends, { options }: Call): boolean {
  let delimiters = 0;
  let byLine = false;
  let byNul = false;
  let replaces = false;
  for (const { name, value } of options) {
    if (name === '-d' || name === '--delimiter') {
      delimiters += 1;
      byLine = value?.value === '\\n' || value?.value === '\n';
    } else if (name === '-0' || name === '--null') byNul = true;
    else if (REPLACES.has(name)) replaces = true;
  }
  if (ends === 'nul') return byNul && delimiters === 0;
  return ends === 'quoted' && byLine && delimiters === 1 && !byNul && !replaces;
}

/** Options of xargs that put a path into a word. */
const REPLACES: ReadonlySet<string> = new Set(['-I', '-i', '-J', '--replace']);

const feeds = (redirection: Redirection): boolean =>
  redirection.type !== 'Redirect' || redirection.operator.startsWith('<');

/** True of `2>/dev/null`. A complaint among the paths (`2>&1`) holds any text that the line gave the program. */
const dropsComplaints = (redirection: Redirection): boolean =>
  redirection.type === 'Redirect' &&
  redirection.operator.startsWith('>') &&
  redirection.descriptor?.type === 'FileDescriptor' &&
  redirection.descriptor.value === 2 &&
  redirection.target?.value === '/dev/null';

function endsOf(kind: 'list' | 'filter', command: CommandNode | undefined, call: ReadCall | null): Ends | null {
  if (command?.type !== 'Command' || call === null || command.prefix.length > 0) return null;
  if (!command.redirects.every(dropsComplaints)) return null;
  const { words } = call;
  if (call.unlisted.length > 0) return null;
  for (const word of words) if (namesSecret(word) || holdsSecrets(word) || readsOutside(word)) return null;
  const name = nameOf(command);
  return kind === 'filter' ? endsOfFilter(name, words, call) : endsOfLister(name, words, call);
}

const nameOf = ({ name }: Command): string => name?.value ?? '';

function endsOfFilter(name: string, words: readonly Argument[], { options, operands }: ReadCall): Ends | null {
  const filter = ownMember(FILTERS, name);
  if (filter === undefined || words.some(({ value }) => value === null)) return null;
  const { takesPattern, byNul, allows } = filter;
  const given = options.some((option) => option.name === '-e' || option.name === '--regexp');
  // Another operand is a file, which holds any text.
  if (operands.length > (takesPattern && !given ? 1 : 0)) return null;
  if (!only(options, byNul, byNul, allows)) return null;
  return has(options, byNul) ? 'nul' : 'newline';
}

function endsOfLister(name: string, words: readonly Argument[], call: ReadCall): Ends | null {
  const { options, operands, subcommand } = call;
  const lister = ownMember(LISTERS, subcommand === '' ? name : `${name} ${subcommand}`);
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

const has = (options: ReadCall['options'], names: Names): boolean => options.some(({ name }) => names.has(name));

function only(options: ReadCall['options'], needs: Names, byNul: Names, allows: Names): boolean {
  for (const { name } of options) if (!allows.has(name) && !byNul.has(name) && !needs.has(name)) return false;
  return true;
}
