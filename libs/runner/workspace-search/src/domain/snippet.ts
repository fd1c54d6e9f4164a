import { termsOf } from './terms.js';

const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 200;

/** The part of a piece that matches best, at most 12 lines, each cut at 200 characters. */
export function snippetOf(
  lines: readonly string[],
  terms: ReadonlySet<string>,
): { readonly offset: number; readonly text: string } {
  const matches = lines.map((line) => new Set(termsOf(line).filter((term) => terms.has(term))).size);
  let [offset, most] = [0, -1];
  for (let start = 0; start === 0 || start + SHOWN_LINES <= lines.length; start++) {
    const sum = matches.slice(start, start + SHOWN_LINES).reduce((total, each) => total + each, 0);
    if (sum > most) [offset, most] = [start, sum];
  }
  const shown = lines.slice(offset, offset + SHOWN_LINES);
  return { offset, text: shown.map((line) => line.slice(0, SHOWN_CHARACTERS)).join('\n') };
}
