import { parse, type Word } from 'unbash';
import { meansMore } from './shell-characters.js';

/** Braces inside each other beyond this are not read. */
const DEEPEST = 3;

const SEQUENCE = /^(?:-?\d+|[A-Za-z])\.\.(?:-?\d+|[A-Za-z])(?:\.\.-?\d+)?$/;
/** Text, quotes and backslashes alone: the parser is not needed, and a line can hold thousands of them. */
const QUOTED = /^(?:[\w./@,%+*?-]|'[^']*'|"[^"\\$`]*"|\\[^\n])*$/;
const QUOTES = /'([^']*)'|"([^"]*)"|\\(.)/g;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])$/;

/**
 * The globs of `{a,b}` or `{a..c}`, with `**` for an unknown text in one.
 *
 * @param text with its braces
 * @param most more words count as one unknown text if they are a sequence, and are not read otherwise
 * @param patternsOf reads a word
 * @returns null if the braces are not read: any name may come out of them
 */
export function alternativesIn(
  text: string,
  most: number,
  patternsOf: (word: Word) => readonly string[],
): readonly string[] | null {
  const pieces = piecesOf(text.slice(1, -1), ',');
  if (pieces?.length === 1) return sequence(pieces[0] ?? '', most);
  return alternativesOf(pieces, most, patternsOf);
}

/** True of a value with an extended pattern in it, which bash matches against files where it expands the value. */
export const holdsChoices = (value: string): boolean => value.includes('(') && /[@?*+!]\(/.test(value);

/**
 * The globs of `@(a|b)`, which bash reads as a choice if its `extglob` is on.
 *
 * @returns null as {@link alternativesIn}
 */
export function choicesIn(
  text: string,
  most: number,
  patternsOf: (word: Word) => readonly string[],
): readonly string[] | null {
  const operator = text.charAt(0);
  if (operator === '!') return ['**'];
  const choices = alternativesOf(piecesOf(text.slice(2, -1), '|'), most, patternsOf);
  if (choices === null) return null;
  const none = operator === '?' || operator === '*' ? [''] : [];
  const more = operator === '+' || operator === '*' ? choices.map((choice) => `${choice}**`) : [];
  return [...none, ...choices, ...more];
}

function alternativesOf(
  pieces: readonly string[] | null,
  most: number,
  patternsOf: (word: Word) => readonly string[],
): readonly string[] | null {
  if (pieces === null || pieces.length > most) return null;
  const alternatives: string[] = [];
  for (const piece of pieces) {
    const plain = !meansMore(piece) || QUOTED.test(piece);
    const patterns = plain ? [piece.replaceAll(QUOTES, '$1$2$3')] : patternsIn(piece, patternsOf);
    if (patterns === null) return null;
    alternatives.push(...patterns);
  }
  return alternatives;
}

/** The parts between the separators that no quotes, expansion or inner braces hold. Null beyond the deepest. */
function piecesOf(inner: string, separator: string): readonly string[] | null {
  const pieces: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < inner.length; at++) {
    const char = inner.charAt(at);
    if (char === '\\') at += 1;
    else if (char === "'" || char === '"' || char === '`') at = endOfQuotes(inner, at, char);
    else if (char === '{' || char === '(') depth += 1;
    else if (char === '}' || char === ')') depth -= 1;
    else if (char === separator && depth <= 0) {
      pieces.push(inner.slice(from, at));
      from = at + 1;
    }
    if (depth > DEEPEST) return null;
  }
  return [...pieces, inner.slice(from)];
}

/** The offset of the quotes that end a text in quotes, or the last one. `$'…'` takes backslashes, as double quotes do. */
function endOfQuotes(text: string, start: number, quote: string): number {
  const escapes = quote !== "'" || text.charAt(start - 1) === '$';
  for (let at = start + 1; at < text.length; at++) {
    if (escapes && text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return text.length;
}

/** A slash in front keeps the text one word: no comment, no assignment, no home. */
function patternsIn(piece: string, patternsOf: (word: Word) => readonly string[]): readonly string[] | null {
  const { commands, errors } = parse(`: /${piece}`);
  const command = commands[0]?.command;
  if (errors !== undefined || commands.length !== 1 || command?.type !== 'Command') return null;
  const [word, another] = command.suffix;
  if (another !== undefined || command.redirects.length > 0 || word?.type !== 'Word' || word.text !== `/${piece}`)
    return null;
  return patternsOf(word).map((pattern) => pattern.slice(1));
}

/** `{a..c}`; an unknown text if it is long. */
function sequence(inner: string, most: number): readonly string[] | null {
  if (!SEQUENCE.test(inner)) return null;
  const [, first = '', last = ''] = LETTERS.exec(inner) ?? [];
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)].sort((a, b) => a - b);
  if (from === undefined || to === undefined || Number.isNaN(from) || to - from >= most) return ['**'];
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
}
