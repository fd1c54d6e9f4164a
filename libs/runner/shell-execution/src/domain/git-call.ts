/** The repository of a call of git: the values of its `-C`, in order; `unclear` if a program around git may start it in another folder. */
export type GitCall = readonly string[] | 'unclear';

/** Options and commands by which a program starts another one in a folder that the runner does not see. */
const MOVES = /(?:^|[^\w-])(?:-C|--ch|-execdir|-okdir|(?:cd|pushd)(?:$|[^\w-]))/;

/**
 * Reads how a program calls git, itself or around it (`timeout 5 git log`). Null if it does not.
 *
 * @param words the arguments of the program, expanded
 */
export function gitCallOf(program: string, words: readonly string[]): GitCall | null {
  if (/(?:^|\/)git$/.test(program)) return foldersOf(words);
  if (!words.some((word) => /\bgit\b/.test(word))) return null;
  return words.some((word) => MOVES.test(word)) ? 'unclear' : [];
}

/** Programs that do nothing but execute the command behind their options. */
const WRAPPERS: ReadonlySet<string> = new Set(['env', 'nice', 'nohup', 'stdbuf', 'time', 'timeout']);
const BEFORE_COMMAND = /^(?:-|\d|\w+=)/;

/** True if the program is git, by itself or as the command of a program that does nothing else: `timeout 5 git log`. */
export function isGit(program: string, words: readonly string[]): boolean {
  const name = nameOf(program);
  if (name === 'git') return true;
  const command = words.find((word) => !BEFORE_COMMAND.test(word));
  return WRAPPERS.has(name) && command !== undefined && nameOf(command) === 'git';
}

const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1);

/** The `-C` of git stand before its subcommand. No other option there has a value of its own at Tier 1. */
function foldersOf(words: readonly string[]): readonly string[] {
  const folders: string[] = [];
  for (let at = 0; words[at]?.startsWith('-') === true; at++) {
    if (words[at] === '-C') folders.push(words[++at] ?? '');
  }
  return folders;
}
