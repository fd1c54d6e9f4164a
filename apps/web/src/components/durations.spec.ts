import { ago } from './durations.js';

it.each([
  [0, 'just now'],
  [50_000, '1 min ago'],
  [7_200_000, '2 h ago'],
  [86_400_000 * 3, '3 days ago'],
])('%i ms ago is %s', (milliseconds, words) => {
  expect(ago(milliseconds)).toBe(words);
});
