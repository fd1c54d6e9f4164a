import type { Argument } from './inspection.js';
import { effectAt, type Effect } from './effect.js';
import type { Judgement } from './judgement.js';
import { expandsToNumber } from './read-word.js';
import { readArithmetic, type Arithmetic } from './read-arithmetic.js';

const NAME = /^[A-Za-z_]\w*(?:\[[\s\S]*\])?$/;

const NOTHING: Arithmetic = { names: [], assigned: [] };

/**
 * The effect of a word that the shell evaluates although it is quoted: a subscript in it executes commands.
 *
 * @param kind `name` of a variable with or without a subscript, or `number`: any arithmetic
 * @returns the effect, or the variables of the expression: their values are evaluated in turn
 */
function evaluatedWord(word: Argument, kind: 'name' | 'number'): Effect | Arithmetic {
  const { value } = word;
  if (value === null) {
    if (expandsToNumber(word)) return NOTHING;
    const variable = /^"?\$\{?([A-Za-z_]\w*)\}?"?$/.exec(word.text)?.[1];
    if (variable !== undefined) return { names: [variable], assigned: [] };
    return effectAt(
      word,
      'UNKNOWN',
      2,
      'shell.evaluates_unknown_text',
      `${word.text} is evaluated, and the line does not show it.`,
    );
  }
  if (kind === 'number' && value === '') return NOTHING;
  const arithmetic = readArithmetic(value);
  // A name such as `a[@]`, or one that no shell accepts, evaluates nothing without a dollar sign or a backtick.
  if (arithmetic !== null && (kind === 'number' || NAME.test(value)))
    return kind === 'number' || value.includes('[') ? arithmetic : NOTHING;
  if (!/[$`]/.test(value)) return NOTHING;
  return effectAt(
    word,
    'UNKNOWN',
    3,
    'shell.evaluates_quoted_text',
    `${word.text} is evaluated, and executes the command in it.`,
  );
}

export function judgeEvaluatedWord(
  word: Argument,
  kind: 'name' | 'number',
  judge: { readonly judgement: Judgement },
): void {
  const found = evaluatedWord(word, kind);
  if ('code' in found) judge.judgement.construct(found);
  else judge.judgement.calculate(found, word);
}
