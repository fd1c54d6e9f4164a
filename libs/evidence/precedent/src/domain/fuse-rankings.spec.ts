import { betterRanks, fuseRankings, type RankedPrecedent } from './fuse-rankings.js';

const ranking = (...ids: readonly string[]): readonly RankedPrecedent[] =>
  ids.map((id, index) => ({ id, rank: index + 1 }));

it('puts a document of two rankings above the first of one', () => {
  expect(fuseRankings([ranking('a', 'b'), ranking('c', 'b')]).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
});

it('adds 1 / (60 + rank) for each ranking', () => {
  expect(fuseRankings([ranking('a'), ranking('b', 'a')])).toEqual([
    { id: 'a', score: 1 / 61 + 1 / 62 },
    { id: 'b', score: 1 / 61 },
  ]);
});

it('counts a shared rank for each that has it', () => {
  const shared = ['a', 'b'].map((id) => ({ id, rank: 1 }));
  expect(fuseRankings([shared]).map(({ score }) => score)).toEqual([1 / 61, 1 / 61]);
});

it('puts the newer first if two have the same score, and knows nothing of nothing', () => {
  expect(fuseRankings([ranking('0190-a'), ranking('0191-b')]).map(({ id }) => id)).toEqual(['0191-b', '0190-a']);
  expect(fuseRankings([])).toEqual([]);
});

it('of two ways to ask the same, the better rank counts, and of one rank the first way', () => {
  const words = [
    { id: 'a', rank: 1, whole: false },
    { id: 'b', rank: 2, whole: false },
  ];
  const meaning = [
    { id: 'b', rank: 1 },
    { id: 'c', rank: 2 },
  ];
  expect(betterRanks(words, meaning)).toEqual([
    { id: 'a', rank: 1 },
    { id: 'b', rank: 2 },
    { id: 'c', rank: 4 },
  ]);
  expect(betterRanks(words, [])).toEqual(ranking('a', 'b'));
});

it('those with every word of the question stand above those that only mean the same', () => {
  const words = ranking('a', 'b', 'c', 'd').map((one) => ({ ...one, whole: ['a', 'b', 'd'].includes(one.id) }));
  expect(betterRanks(words, ranking('e', 'd', 'c'))).toEqual([
    { id: 'a', rank: 1 },
    { id: 'b', rank: 2 },
    { id: 'c', rank: 3 },
    { id: 'd', rank: 4 },
    { id: 'e', rank: 5 },
  ]);
  expect(betterRanks(words, ranking('d')).at(-1)).toEqual({ id: 'd', rank: 2 });
});

it('fifty with every word leave one that only means the same five ranks further down, and no more', () => {
  const words = Array.from({ length: 50 }, (_, index) => ({ id: `w${String(index)}`, rank: index + 1, whole: true }));
  expect(betterRanks(words, ranking('m')).at(-1)).toEqual({ id: 'm', rank: 7 });
});
