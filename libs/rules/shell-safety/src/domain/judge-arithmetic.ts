import { endOf, startOf, type SourceContext } from './source-context.js';
import { readArithmetic } from './read-arithmetic.js';
import type { Reader } from './reader.js';

/**
 * Arithmetic may hold numbers, names, operators and parentheses. Anything else is Tier 3, and is read again as
 * commands. bash executes it if it decides that this is no arithmetic (T49).
 *
 * @param text the text between the delimiters; it begins at `inner`
 * @param at the whole construct, delimiters included
 */
export function judgeArithmetic(
  text: string,
  inner: number,
  at: { readonly pos: number; readonly end: number },
  context: SourceContext,
  reader: Reader,
): void {
  const span = { start: startOf(context, at.pos), end: endOf(context, at.end) };
  const arithmetic = readArithmetic(text);
  if (arithmetic !== null) {
    reader.judgement.calculate(arithmetic, span);
    return;
  }
  reader.judgement.construct({
    class: 'UNKNOWN',
    tier: 3,
    code: 'shell.not_arithmetic',
    message: 'This is no plain arithmetic of numbers, names and operators: a shell may execute it as commands.',
    ...span,
  });
  reader.again(text, inner, context);
}

const PARENTHESIS = 40;
const BACKSLASH = 92;
const NESTED = /^[$<>]?(?:\\\n)*\((?:\\\n)*\(/;

/**
 * A subshell, or a substitution, that begins with `((` is Tier 3: bash reads it as arithmetic at first. When it gives
 * that up, it takes here-documents and newlines otherwise than the parser does. By then it has executed the body of a
 * here-document (bash 5.2).
 */
export function judgeNestedParentheses(
  at: { readonly pos: number; readonly end: number },
  context: SourceContext,
  reader: Reader,
): void {
  const { source } = context;
  const first = source.charCodeAt(at.pos) === PARENTHESIS ? at.pos : at.pos + 1;
  const next = source.charCodeAt(first + 1);
  // Most go on with a word.
  if (source.charCodeAt(first) === PARENTHESIS && next !== PARENTHESIS && next !== BACKSLASH) return;
  if (!NESTED.test(source.slice(at.pos, at.end))) return;
  reader.judgement.construct({
    class: 'UNKNOWN',
    tier: 3,
    code: 'shell.not_arithmetic',
    message: 'Shells take (( for the beginning of arithmetic. Put a space between the parentheses.',
    start: startOf(context, at.pos),
    end: endOf(context, at.end),
  });
}
