import { rarity, splitByFrequency } from './rarity.js';

it('is higher for rarer terms, and above 0 for a term of every document', () => {
  expect(rarity(1, 100)).toBeGreaterThan(rarity(50, 100));
  expect(rarity(100, 100)).toBeGreaterThan(0);
});

it('lets rare terms find documents, and frequent ones add to them', () => {
  const [common, seldom] = [{ df: 5_001 }, { df: 5_000 }];
  expect(splitByFrequency([common, seldom], 40_000)).toEqual({ rare: [seldom], frequent: [common] });
});

it('lets all terms find documents if none is rare, or documents are few', () => {
  expect(splitByFrequency([{ df: 30_000 }], 40_000)).toEqual({ rare: [{ df: 30_000 }], frequent: [] });
  expect(splitByFrequency([{ df: 900 }, { df: 1 }], 999).rare).toHaveLength(2);
});
