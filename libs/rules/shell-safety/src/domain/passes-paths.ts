import type { Command, CommandNode } from 'unbash';
import type { CommandTable } from './command-table.js';
import type { Argument } from './inspection.js';
import { readsOutside } from './outside-paths.js';
import { holdsSecrets, namesSecret } from './paths.js';
import type { Place } from './place.js';
import { readCall } from './read-call.js';
import { readWord } from './read-word.js';
import type { Input, Surroundings } from './reader.js';
import { hiddenFound } from './reads-hidden.js';

/** Programs that print the paths that they find, by the options that they need for that; none for the first of them. */
const LISTS: Readonly<Record<string, string>> = {
  find: '',
  fd: '',
  fdfind: '',
  ls: '',
  'git ls-files': '',
  'git diff': '--name-only',
  'git grep': '-l --files-with-matches --name-only',
  grep: '-l -L --files-with-matches --files-without-match',
  egrep: '-l -L --files-with-matches --files-without-match',
  rg: '-l --files --files-with-matches --files-without-match',
  ag: '-l -g --files-with-matches',
};
/** Options with which these print any text. */
const PRINTS_TEXT: ReadonlySet<string> = new Set(['-printf', '--format']);
/** Options with which these list files that are hidden, or that no repository tracks. */
const SHOWS_HIDDEN: ReadonlySet<string> = new Set(
  '-a -A -f -H -. -u -o --all --almost-all --hidden --unrestricted --others --untracked --no-index'.split(' '),
);
/** Programs that print lines of their input as they are, with the number of operands that are no files. */
const FILTERS: Readonly<Record<string, number>> = { grep: 1, egrep: 1, rg: 1, head: 0, tail: 0, sort: 0, uniq: 0 };

/**
 * True if xargs gets nothing but paths of files in the workspace, and outside folders that hold secrets: `find src | sort | xargs grep x`. The output of
 * any other command, and any file, may name any file: `echo … | base64 -d | xargs cat`.
 */
export function readsPaths({ input, redirections }: Surroundings, table: CommandTable): boolean {
  return input !== null && !redirections.some(feeds) && printsPaths(input, table);
}

function printsPaths({ pipeline, count, place }: Input, table: CommandTable): boolean {
  const [first, ...filters] = pipeline.slice(0, count);
  return (
    first !== undefined &&
    isOf('list', first, place, table) &&
    filters.every((filter) => isOf('filter', filter, place, table))
  );
}

const feeds = ({ type, ...redirection }: Command['redirects'][number]): boolean =>
  type !== 'Redirect' || ('operator' in redirection && redirection.operator.startsWith('<'));

function isOf(kind: 'list' | 'filter', command: CommandNode, place: Place, table: CommandTable): boolean {
  if (command.type !== 'Command' || command.prefix.length > 0 || command.redirects.some(feeds)) return false;
  const name = command.name?.value ?? '';
  const row = table.get(name);
  if (row === undefined) return false;
  const words: Argument[] = command.suffix.flatMap((node) => (node.type === 'Word' ? [readWord(node, place)] : []));
  if (words.some((word) => namesSecret(word) || holdsSecrets(word) || readsOutside(word))) return false;
  const call = readCall(words, row);
  const { options, operands, subcommand } = call;
  if (kind === 'filter') return operands.length <= (FILTERS[name] ?? -1) && words.every(({ value }) => value !== null);
  const needed = LISTS[subcommand === '' ? name : `${name} ${subcommand}`];
  if (needed === undefined || options.some((option) => PRINTS_TEXT.has(option.name))) return false;
  if (options.some((option) => SHOWS_HIDDEN.has(option.name))) return false;
  const [first] = words;
  if (name === 'find' && (first === undefined || hiddenFound(first, words, operands) !== null)) return false;
  return needed === '' || options.some((option) => needed.split(' ').includes(option.name));
}
