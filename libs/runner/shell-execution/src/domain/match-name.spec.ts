import { BRACKET_PATTERN } from '#lib/shell-safety';
import type { Atom } from './field.js';
import { nameMatcher } from './match-name.js';

/** The atoms of a pattern as the line would write it. A backslash quotes. */
const atoms = (pattern: string): Atom[] =>
  (pattern.match(/\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|\\.|./gu) ?? []).map((part) => {
    const glob = part === '*' || part === '?' || BRACKET_PATTERN.test(part);
    return { type: glob ? 'glob' : 'text', text: part.replace(/^\\/, ''), source: part };
  });

test.each([
  ['*', 'a .a', 'a'],
  ['.*', '. .. .a a', '.a'],
  ['\\.*', '.a', '.a'],
  ['[.]a', '.a', ''],
  ['?', 'a é 日 ab .', 'a é 日'],
  ['a*b*c', 'abc aXbXc ab acb', 'abc aXbXc'],
  ['*a', 'a aa ba ab', 'a aa ba'],
  ['a\\*', 'a* ab', 'a*'],
  ['[a-c]', 'a b c d -', 'a b c'],
  ['[!a-c]', 'a d é', 'd é'],
  ['[^a-c]', 'a d', 'd'],
  ['[]a]', '] a b', '] a'],
  ['[!]]', '] a', 'a'],
  ['[a-]', 'a - b', 'a -'],
  ['[-a]', 'a - b', 'a -'],
  ['[c-a]', 'a b c', ''],
  ['[[:digit:]x-z]', '1 x y a', '1 x y'],
  ['[[:upper:]]', 'A a É', 'A É'],
  ['[[:space:]]', 'a', ''],
])('%s matches, of %s, %s', (pattern, names, expected) => {
  expect(
    names
      .split(' ')
      .filter(nameMatcher(atoms(pattern)))
      .join(' '),
  ).toBe(expected);
});
