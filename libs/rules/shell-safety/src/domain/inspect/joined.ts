import type { Argument } from '../inspection.js';
import { argumentOf } from '../read-word.js';

/** Words as the one text that eval, ssh and watch make of them. */
export function joined(words: readonly [Argument, ...Argument[]]): Argument {
  const [first, ...rest] = words;
  const last = rest.at(-1);
  if (last === undefined) return first;
  const values = words.map(({ value }) => value);
  const value = values.includes(null) ? null : values.join(' ');
  const text = value ?? words.map((word) => word.value ?? unquoted(word.text)).join(' ');
  return argumentOf(text, value, value ?? '', 'one', [value ?? '**'], first.start, last.end);
}

/** The text of a word that is not literal. With it the commands in the word can be read all the same. */
const unquoted = (text: string): string => (/^"[\s\S]*"$/.test(text) ? text.slice(1, -1) : text);
