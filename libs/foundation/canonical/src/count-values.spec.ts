import { countValues } from './count-values.js';
import { parseStrictJson } from './parse-strict-json.js';

it.each<[string, number]>([
  ['1', 1],
  ['null', 1],
  ['[]', 1],
  ['[{"a":[0,0]},"text",{}]', 7],
])('counts the values of %s as the strict parser does: %i', (text, values) => {
  expect(countValues(parseStrictJson(text))).toBe(values);
  expect(() => parseStrictJson(text, 64, values - 1)).toThrow(`more than ${String(values - 1)} values`);
  expect(parseStrictJson(text, 64, values)).toEqual(JSON.parse(text));
});

it('counts levels without end, and no further than it is asked to', () => {
  const deep = Array.from({ length: 100_000 }).reduce<object>((inner) => [inner], []);
  expect(countValues(deep)).toBe(100_001);
  expect(countValues(deep, 10)).toBe(11);
});
