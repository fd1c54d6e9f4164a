import { rarity } from './rarity.js';
import { worthOfTerms } from './worth-of-terms.js';

const N = 2_000;

describe('the worth of a term', () => {
  it('is its rarity, if it is the one that is sought', () => {
    const [one, other] = worthOfTerms(
      [
        { sought: 'drain', weight: 1, df: 400 },
        { sought: 'drain', weight: 1, df: 20 },
      ],
      N,
    );
    expect([one?.worth, other?.worth]).toEqual([rarity(400, N), rarity(20, N)]);
  });

  it('is no greater for a rare wrong spelling', () => {
    const found = worthOfTerms(
      [
        { sought: 'darin', term: 'drain', weight: 0.8, df: 300 },
        { sought: 'darin', term: 'daring', weight: 0.7, df: 1 },
        { sought: 'darin', term: 'dart', weight: 0.5, df: 1 },
      ],
      N,
    );
    expect(found.map(({ term, worth }) => [term, worth])).toEqual([
      ['drain', 0.8 * rarity(300, N)],
      ['daring', 0.7 * rarity(300, N)],
    ]);
  });
});
