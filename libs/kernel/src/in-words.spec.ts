import { secondsInWords, suggestionInWords } from './in-words.js';

describe('secondsInWords', () => {
  it.each([
    [0, '0 s'],
    [125, '2 min 5 s'],
    [5_400, '1 h 30 min'],
  ])('%p', (seconds, words) => {
    expect(secondsInWords(seconds)).toBe(words);
  });
});

describe('suggestionInWords', () => {
  it.each([
    ['full_auto', 'Did you mean full_auto?'],
    ['Write it as a list.', 'Write it as a list.'],
  ])('%s', (suggestion, words) => {
    expect(suggestionInWords(suggestion)).toBe(words);
  });
});
