import { inDuration, minutesInWords, secondsInWords, shortenedInWords, suggestionInWords } from './in-words.js';

describe('seconds in words', () => {
  it.each([
    [0, '0 s'],
    [125, '2 min 5 s'],
    [5_400, '1 h 30 min'],
  ])('%p', (seconds, words) => {
    expect(secondsInWords(seconds)).toBe(words);
  });
});

describe('a suggestion in words', () => {
  it.each([
    ['full_auto', 'Did you mean full_auto?'],
    ['Write it as a list.', 'Write it as a list.'],
  ])('%s', (suggestion, words) => {
    expect(suggestionInWords(suggestion)).toBe(words);
  });
});

it.each([
  [-5_000, '0 s'],
  [0, '0 s'],
  [250, '250 ms'],
  [59_999, '59 s'],
  [240_000, '4 min'],
  [247_000, '4 min 7 s'],
  [14_400_000, '4 h'],
  [86_400_000, '1 day'],
  [1_343.3 * 60_000, '22 h 23 min'],
  [3_600_000 * 3 + 12 * 60_000, '3 h 12 min'],
  [86_400_000 * 2, '2 days'],
  [86_400_000 * 2 + 3_600_000 * 4, '2 days 4 h'],
])('%i ms is %s', (milliseconds, words) => {
  expect(inDuration(milliseconds)).toBe(words);
});

it.each([
  [0, '0 minutes'],
  [1, '1 minute'],
  [60, '1 hour'],
  [90, '1 hour 30 minutes'],
  [720, '12 hours'],
  [43_200, '30 days'],
])('a limit of %i minutes is %s', (minutes, words) => {
  expect(minutesInWords(minutes)).toBe(words);
});

it('says by how much a wait was shortened', () => {
  expect(shortenedInWords(0.0025)).toBe('shortened to 0.25 % for a demonstration');
});
