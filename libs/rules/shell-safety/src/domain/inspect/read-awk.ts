/** A piece of a program of awk. The text of a string is without its quotes, and that of a word without its namespace. */
export interface AwkToken {
  readonly kind: 'string' | 'regex' | 'number' | 'word' | 'sign';
  readonly text: string;
}

/** White space but newlines. A backslash joins two lines. */
const SPACE = /(?:[ \t\r]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;
const STRING = /"((?:\\[\s\S]|[^"\\\n])*)"/y;
/** Implementations differ on a slash, and on a bracket, in brackets: such an expression is none here. */
const REGEX = /\/(?:\\[^\n]|\[\^?(?:\[:\w+:\]|\\[^\n]|[^\]\\\n/[])+\]|[^/\\\n[])*\//y;
const NUMBER = /0[xX][0-9A-Fa-f]+|\.?[0-9][0-9.]*(?:[eE][-+]?[0-9]+)?/y;
/** With the namespace of gawk in front. */
const WORD = /(?:[A-Za-z_]\w*::)*([A-Za-z_]\w*)/y;
const SIGN = /&&|\|\||\|&|>>|\+\+|--|[-+*/%^=!<>]=|[^A-Za-z0-9_"\\#]/y;

/** Words with an operand behind them. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'BEGIN BEGINFILE END ENDFILE break case continue default delete do else exit for func function if in next nextfile ' +
    'print printf return switch while'
  ).split(' '),
);
/** Words with a condition in parentheses: a slash behind it divides in some implementations alone. */
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'for', 'switch', 'while']);

/** Whether a slash divides behind a token, begins a regular expression, or does one or the other. */
type Slash = 'divides' | 'begins' | 'unclear';

/**
 * The tokens of a program of awk, newlines included, as POSIX, gawk, mawk and busybox agree on them.
 *
 * @returns null if they may read it in different ways
 */
export function readAwk(program: string): readonly AwkToken[] | null {
  const tokens: AwkToken[] = [];
  /** For each open parenthesis, true if it holds a condition. */
  const open: boolean[] = [];
  let [slash, before]: [Slash, string] = ['begins', ''];
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(program);
    if (match === null) return null;
    at += match[0].length;
    return match[1] ?? match[0];
  };
  const add = (kind: AwkToken['kind'], text: string, next: Slash): true => {
    tokens.push({ kind, text });
    [slash, before] = [next, kind === 'word' ? text : ''];
    return true;
  };
  const addSign = (text: string): true => {
    let next: Slash = 'begins';
    if (text === '(') open.push(CONDITIONS.has(before));
    else if (text === ')') next = open.pop() === true ? 'unclear' : 'divides';
    else if (text === ']') next = 'divides';
    else if (text === '++' || text === '--') next = 'unclear';
    return add('sign', text, next);
  };
  const addWord = (text: string): true => {
    // `length` may stand without parentheses.
    if (text === 'length') return add('word', text, 'unclear');
    return add('word', text, KEYWORDS.has(text) ? 'begins' : 'divides');
  };
  const next = (): boolean => {
    if (take(SPACE) !== null) return true;
    const comment = take(COMMENT);
    if (comment !== null) return !comment.endsWith('\\');
    const string = take(STRING);
    if (string !== null) return add('string', string, 'divides');
    if (program[at] === '/' && slash !== 'divides') {
      const regex = slash === 'unclear' ? null : take(REGEX);
      return regex !== null && add('regex', regex, 'divides');
    }
    const number = take(NUMBER);
    if (number !== null) return add('number', number, 'divides');
    const word = take(WORD);
    if (word !== null) return addWord(word);
    const sign = take(SIGN);
    return sign !== null && addSign(sign);
  };
  while (at < program.length) if (!next()) return null;
  return tokens;
}
