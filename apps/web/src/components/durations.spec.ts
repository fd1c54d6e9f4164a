import { ago, inDuration } from './durations.js';

it.each([
  [-5_000, '0 s'],
  [0, '0 s'],
  [250, '250 ms'],
  [59_999, '59 s'],
  [240_000, '4 min'],
  [247_000, '4 min 7 s'],
  [14_400_000, '4 h'],
  [3_600_000 * 3 + 12 * 60_000, '3 h 12 min'],
  [86_400_000 * 2, '2 d'],
  [86_400_000 * 2 + 3_600_000 * 4, '2 d 4 h'],
])('%i ms is %s', (milliseconds, words) => {
  expect(inDuration(milliseconds)).toBe(words);
});

it.each([
  [0, 'just now'],
  [50_000, '1 min ago'],
  [7_200_000, '2 h ago'],
  [86_400_000 * 3, '3 d ago'],
])('%i ms ago is %s', (milliseconds, words) => {
  expect(ago(milliseconds)).toBe(words);
});
