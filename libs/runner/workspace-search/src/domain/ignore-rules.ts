/** One line of a .gitignore. */
interface IgnoreRule {
  /** The folder of its file, from the root; empty for the root. */
  readonly folder: string;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** The names of its pattern; `**` stands for any folders. */
  readonly names: readonly string[];
}

/** More lines than any honest file has. */
const MAX_RULES = 2_000;
/** Longer lines are no patterns. */
const MAX_PATTERN = 512;

/** The rules of the .gitignore files on the way to a folder: a later rule overrides an earlier one (gitignore(5)). */
export class IgnoreRules {
  private constructor(private readonly rules: readonly IgnoreRule[]) {}

  static readonly NONE = new IgnoreRules([]);

  /** With the rules of the .gitignore in a folder, which is named from the root. */
  with(folder: string, text: string): IgnoreRules {
    const added = text.split('\n').flatMap((line) => ruleOf(folder, line) ?? []);
    return new IgnoreRules([...this.rules, ...added].slice(0, MAX_RULES));
  }

  /** True if git would leave out this file or folder. git then enters no folder, so nothing below it comes back. */
  leavesOut(path: string, isFolder: boolean): boolean {
    for (let at = this.rules.length - 1; at >= 0; at--) {
      const rule = this.rules[at];
      if (rule === undefined || (rule.foldersOnly && !isFolder)) continue;
      const below = rule.folder === '' ? path : path.slice(rule.folder.length + 1);
      if (matchesNames(rule.names, below.split('/'))) return !rule.negated;
    }
    return false;
  }
}

function ruleOf(folder: string, line: string): IgnoreRule | null {
  // First of all: the end of a line is found in the square of its length.
  if (line.length > MAX_PATTERN) return null;
  const text = line.replace(/\r$/, '').replace(/(?<!\\) +$/, '');
  if (text === '' || text.startsWith('#')) return null;
  const negated = text.startsWith('!');
  const pattern = negated ? text.slice(1) : text;
  const foldersOnly = pattern.endsWith('/');
  const names = pattern.split('/').filter((name) => name !== '');
  if (names.length === 0) return null;
  // Without a slash in front or inside, the name stands at any depth.
  const anchored = pattern.slice(0, -1).includes('/');
  return { folder, negated, foldersOnly, names: anchored ? names : ['**', ...names] };
}

/** Goes back to the last `**` alone, so that no pattern takes long. */
function matchesNames(pattern: readonly string[], names: readonly string[]): boolean {
  let [at, name, star, tried] = [0, 0, -1, 0];
  while (name < names.length) {
    const wanted = pattern[at];
    if (wanted === '**') {
      star = at++;
      tried = name;
      // At the end it matches all that is inside, and not the folder itself.
      if (at === pattern.length) return true;
    } else if (wanted !== undefined && matchesName(wanted, names[name] ?? '')) {
      at += 1;
      name += 1;
    } else if (star !== -1) {
      at = star + 1;
      name = ++tried;
    } else return false;
  }
  return at === pattern.length;
}

/** `*`, `?`, `[a-z]` and `\`, in the time of both lengths multiplied. */
function matchesName(pattern: string, name: string): boolean {
  let [at, letter, star, tried] = [0, 0, -1, 0];
  while (letter < name.length) {
    const length = at < pattern.length && pattern[at] !== '*' ? takes(pattern, at, name[letter] ?? '') : 0;
    if (length > 0) {
      at += length;
      letter += 1;
    } else if (pattern[at] === '*') {
      star = at++;
      tried = letter;
    } else if (star !== -1) {
      at = star + 1;
      letter = ++tried;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}

/** The length of the pattern's part at an offset if it matches the letter, else 0. */
function takes(pattern: string, at: number, letter: string): number {
  const part = pattern[at];
  if (part === '?') return 1;
  if (part === '\\') return pattern[at + 1] === letter ? 2 : 0;
  if (part !== '[') return part === letter ? 1 : 0;
  const end = pattern.indexOf(']', at + 2);
  if (end === -1) return letter === '[' ? 1 : 0;
  const negated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const set = pattern.slice(at + (negated ? 2 : 1), end);
  return isIn(set, letter) !== negated ? end + 1 - at : 0;
}

function isIn(set: string, letter: string): boolean {
  for (let at = 0; at < set.length; at++) {
    const from = set[at] ?? '';
    if (set[at + 1] === '-' && at + 2 < set.length) {
      if (letter >= from && letter <= (set[at + 2] ?? '')) return true;
      at += 2;
    } else if (letter === from) return true;
  }
  return false;
}
