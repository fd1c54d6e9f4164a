import type { Argument, Call } from '../inspection.js';

/**
 * Names of the third parent of a stash, or of all parents. The third holds the files that git did not track
 * (git-stash(1)). No other commit of everyday work has three. `:/text` is the youngest commit with this text in its
 * message (gitrevisions(7)). Those of a stash repeat the subject of another commit.
 */
const THIRD_PARENT = /\^0*[3-9*?]|(?:stash|\*).*\^(?:@|\{\/)|(?:^|\.\.|\^):\/./i;
const SHOWS_COMMITS: ReadonlySet<string> = new Set(
  'log show whatchanged diff diff-tree diff-index cat-file blame annotate range-diff grep'.split(' '),
);

/** Behind `--` they take paths alone. The others read commits there, too: `git blame -- FILE COMMIT`, `git cat-file -p -- COMMIT:FILE`. */
const PATHS_BEHIND: ReadonlySet<string> = new Set(
  'log show whatchanged diff diff-tree diff-index grep reflog'.split(' ').concat('reflog show'),
);

/** They show the parents of a commit, too. */
const WALKS: ReadonlySet<string> = new Set(['log', 'whatchanged', 'range-diff']);
/** They do so with one of these options, or for a range. */
const MAY_WALK: ReadonlySet<string> = new Set(['show', 'diff-tree', 'reflog', 'reflog show']);
const WALKING: ReadonlySet<string> = new Set(['-m', '--diff-merges', '--do-walk', '--boundary', '--not']);
const RANGE = /\.\.|^\^|\^-/;
const A_STASH = /(?:^|\.\.|\^|refs\/)stash(?:$|[@~^]|\.\.)/i;

/** Options that choose the stash with all other references. */
const ALL_REFERENCES: ReadonlySet<string> = new Set(['--all', '--reflog', '--glob']);
/** Options with which a list of commits shows lines of their files. */
const SHOWS_LINES: ReadonlySet<string> = new Set(
  '-p -u --patch -U --unified --patch-with-raw --patch-with-stat --binary --check -c --cc --dd --diff-merges'.split(
    ' ',
  ),
);

/**
 * The word by which a subcommand shows files of a stash that git does not track; undefined if none does.
 *
 * @param words the words after the program
 */
export function untrackedIn(words: readonly Argument[], call: Call): Argument | undefined {
  const { subcommand, options } = call;
  const operands = operandsBeforePaths(words, call);
  const parent = SHOWS_COMMITS.has(subcommand)
    ? revisionsOf({ ...call, operands }).find(isLike(THIRD_PARENT))
    : undefined;
  if (parent !== undefined || !walks({ ...call, operands })) return parent;
  const stash = operands.find(isLike(A_STASH));
  if (stash !== undefined || !showsLines(call)) return stash;
  return options.find(({ name }) => ALL_REFERENCES.has(name))?.at;
}

const isLike =
  (names: RegExp) =>
  ({ patterns }: Argument): boolean =>
    patterns.some((each) => names.test(each));

/** The operands in front of `--`, if those behind it are paths alone. `--` may also be the value of an option: `-S --`. */
function operandsBeforePaths(words: readonly Argument[], call: Call): readonly Argument[] {
  const { subcommand, operands, options } = call;
  const paths = words.find(
    ({ value, start }) => value === '--' && !options.some((each) => each.value?.start === start),
  );
  if (paths === undefined || !PATHS_BEHIND.has(subcommand)) return operands;
  const before = operands.filter(({ start }) => start < paths.start);
  // `git grep -- KEY COMMIT`: this `--` ends the options alone.
  return before.length === 0 && takesPattern(call) ? operands : before;
}

/** The operands that may name commits: the first of a search is its pattern, unless an option gives it. */
const revisionsOf = (call: Call): readonly Argument[] => (takesPattern(call) ? call.operands.slice(1) : call.operands);

const takesPattern = ({ subcommand, options }: Call): boolean =>
  subcommand === 'grep' && !options.some(({ name }) => name === '-e' || name === '-f');

const walks = ({ subcommand, operands, options }: Call): boolean =>
  WALKS.has(subcommand) ||
  (MAY_WALK.has(subcommand) && (options.some(({ name }) => WALKING.has(name)) || operands.some(isLike(RANGE))));

const showsLines = ({ subcommand, options }: Call): boolean =>
  subcommand === 'show' || options.some(({ name }) => SHOWS_LINES.has(name));
