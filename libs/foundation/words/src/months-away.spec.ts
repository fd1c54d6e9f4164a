import { monthsAwaySentence } from './months-away.js';

describe('the sentence about detached months', () => {
  it.each([
    [[], null],
    [['2026-01'], 'The decisions of 2026-01 are not in the database, so they are not counted.'],
    [
      ['2025-11', '2025-12', '2026-01'],
      'The decisions of 2025-11, 2025-12 and 2026-01 are not in the database, so they are not counted.',
    ],
  ])('names %j', (months, sentence) => {
    expect(monthsAwaySentence(months)).toBe(sentence);
  });
});
