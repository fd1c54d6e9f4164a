import { lineSchema } from './primitives.js';

const line = lineSchema(20);

it.each([
  ['a line end', '\n'],
  ['a line separator', '\u2028'],
  ['a paragraph separator', '\u2029'],
  ['a right-to-left override', '\u202E'],
  ['an Arabic letter mark', '\u061C'],
  ['a zero-width space', '\u200B'],
  ['a soft hyphen', '\u00AD'],
  ['a tag character', '\u{E0041}'],
  ['half a character', '\uD800'],
])('a line that people read does not hold %s', (_what, character) => {
  expect(line.safeParse(`Sam${character}Lee`).success).toBe(false);
});

it.each(['Sam Lee', 'Zoë O’Brien', 'נועה', '三木 花子', '🚀'])('"%s" is a line that people read', (text) => {
  expect(line.parse(` ${text} `)).toBe(text);
});
