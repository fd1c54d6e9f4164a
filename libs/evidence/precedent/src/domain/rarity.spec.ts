import { countedUpTo, rarity, splitByFrequency } from './rarity.js';

it('is higher for rarer terms, and above 0 for a term of every document', () => {
  expect(rarity(1, 100)).toBeGreaterThan(rarity(50, 100));
  expect(rarity(100, 100)).toBeGreaterThan(0);
});

it('lets rare terms find documents, frequent ones add to them, and drops terms that are everywhere', () => {
  const [everywhere, common, seldom] = [{ df: countedUpTo(40_000) }, { df: 10_000 }, { df: 5_000 }];
  expect(splitByFrequency([everywhere, common, seldom], 40_000)).toEqual({ rare: [seldom], frequent: [common] });
});

it('lets all terms find documents if none is rare, or documents are few', () => {
  expect(splitByFrequency([{ df: 30_000 }], 40_000)).toEqual({ rare: [{ df: 30_000 }], frequent: [] });
  expect(splitByFrequency([{ df: 900 }, { df: 1 }], 999)).toEqual({ rare: [{ df: 900 }, { df: 1 }], frequent: [] });
});
