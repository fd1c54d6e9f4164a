import type { Command, CommandNode } from 'unbash';
import type { CommandTable } from './command-table.js';
import type { Argument, Call } from './inspection.js';
import { readsOutside } from './outside-paths.js';
import { holdsSecrets, namesSecret } from './paths.js';
import type { Place } from './place.js';
import { readCall } from './read-call.js';
import { readWord } from './read-word.js';
import type { Surroundings } from './reader.js';
import { hiddenFound } from './reads-hidden.js';

/** A program that prints the paths that it finds. */
interface Lister {
  /** The options that it needs for that; without one, it always does. */
  readonly needs: string;
  /** The options by which it ends each path by NUL. */
  readonly byNul: string;
}

/** ls prints the names of folders between those of files, and has no byNul therefore. */
const LISTS: Readonly<Record<string, Lister>> = {
  find: { needs: '', byNul: '-print0' },
  fd: { needs: '', byNul: '-0 --print0' },
  fdfind: { needs: '', byNul: '-0 --print0' },
  ls: { needs: '', byNul: '' },
  'git ls-files': { needs: '', byNul: '-z' },
  'git diff': { needs: '--name-only', byNul: '-z' },
  'git grep': { needs: '-l --files-with-matches --name-only', byNul: '-z --null' },
  grep: { needs: '-l -L --files-with-matches --files-without-match', byNul: '-Z --null' },
  egrep: { needs: '-l -L --files-with-matches --files-without-match', byNul: '-Z --null' },
  rg: { needs: '-l --files --files-with-matches --files-without-match', byNul: '-0 --null' },
  ag: { needs: '-l -g --files-with-matches', byNul: '-0 --print0 --null' },
};
/** Options with which these print any text. */
const PRINTS_TEXT: ReadonlySet<string> = new Set(['-printf', '--format']);
/** Options with which these list files that are hidden, or that no repository tracks. */
const SHOWS_HIDDEN: ReadonlySet<string> = new Set(
  '-a -A -f -H -. -u -o --all --almost-all --hidden --unrestricted --others --untracked --no-index'.split(' '),
);
/** Programs that print lines of their input as they are: how many operands are no files, and the options by which NUL ends a line. */
const FILTERS: Readonly<Record<string, { readonly operands: number; readonly byNul: string }>> = {
  grep: { operands: 1, byNul: '-z --null-data' },
  egrep: { operands: 1, byNul: '-z --null-data' },
  rg: { operands: 1, byNul: '--null-data' },
  head: { operands: 0, byNul: '-z --zero-terminated' },
  tail: { operands: 0, byNul: '-z --zero-terminated' },
  sort: { operands: 0, byNul: '-z --zero-terminated' },
  uniq: { operands: 0, byNul: '-z --zero-terminated' },
};

/** The ends of paths: NUL, newlines, or newlines of git, which quotes a path that holds one. */
type Ends = 'nul' | 'newline' | 'quoted';

/**
 * The ends of paths if xargs gets nothing but paths of files in the workspace, and outside folders that hold secrets:
 * `find src | sort | xargs grep x`. Null for the output of any other command, and any file, which may name any file: `echo … | base64 -d | xargs cat`.
 */
export function endsOfPaths({ input, redirections }: Surroundings, table: CommandTable): Ends | null {
  if (input === null || redirections.some(feeds)) return null;
  const { pipeline, count, place } = input;
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

const feeds = ({ type, ...redirection }: Command['redirects'][number]): boolean =>
  type !== 'Redirect' || ('operator' in redirection && redirection.operator.startsWith('<'));

function endsOf(kind: 'list' | 'filter', command: CommandNode, place: Place, table: CommandTable): Ends | null {
  if (command.type !== 'Command' || command.prefix.length > 0 || command.redirects.some(feeds)) return null;
  const name = command.name?.value ?? '';
  const row = table.get(name);
  if (row === undefined) return null;
  const words: Argument[] = command.suffix.flatMap((node) => (node.type === 'Word' ? [readWord(node, place)] : []));
  if (words.some((word) => namesSecret(word) || holdsSecrets(word) || readsOutside(word))) return null;
  const call = readCall(words, row);
  const { options, operands, subcommand } = call;
  const has = (names: string): boolean => options.some((option) => names.split(' ').includes(option.name));
  if (kind === 'filter') {
    const filter = FILTERS[name];
    if (filter === undefined || operands.length > filter.operands || words.some(({ value }) => value === null))
      return null;
    return has(filter.byNul) ? 'nul' : 'newline';
  }
  const lister = LISTS[subcommand === '' ? name : `${name} ${subcommand}`];
  if (lister === undefined || options.some((option) => PRINTS_TEXT.has(option.name))) return null;
  if (options.some((option) => SHOWS_HIDDEN.has(option.name))) return null;
  const [first] = words;
  if (name === 'find' && (first === undefined || hiddenFound(first, words, operands) !== null)) return null;
  if (lister.needs !== '' && !has(lister.needs)) return null;
  if (has(lister.byNul)) return 'nul';
  return name === 'git' ? 'quoted' : 'newline';
}
