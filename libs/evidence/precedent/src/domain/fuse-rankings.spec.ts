import { betterPlaces, fuseRankings, type Placed } from './fuse-rankings.js';

const ranking = (...ids: readonly string[]): readonly Placed[] => ids.map((id, index) => ({ id, place: index + 1 }));

it('puts a document of two rankings above the first of one', () => {
  expect(fuseRankings([ranking('a', 'b'), ranking('c', 'b')]).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
});

it('adds 1 / (60 + place) for each ranking', () => {
  expect(fuseRankings([ranking('a'), ranking('b', 'a')])).toEqual([
    { id: 'a', score: 1 / 61 + 1 / 62 },
    { id: 'b', score: 1 / 61 },
  ]);
});

it('counts a shared place for each that has it', () => {
  const shared = ['a', 'b'].map((id) => ({ id, place: 1 }));
  expect(fuseRankings([shared]).map(({ score }) => score)).toEqual([1 / 61, 1 / 61]);
});

it('puts the newer first if two have the same score, and knows nothing of nothing', () => {
  expect(fuseRankings([ranking('0190-a'), ranking('0191-b')]).map(({ id }) => id)).toEqual(['0191-b', '0190-a']);
  expect(fuseRankings([])).toEqual([]);
});

it('of two ways to ask the same, the better place counts, and of one place the first way', () => {
  const words = [
    { id: 'a', place: 1, whole: false },
    { id: 'b', place: 2, whole: false },
  ];
  const meaning = [
    { id: 'b', place: 1 },
    { id: 'c', place: 2 },
  ];
  expect(betterPlaces(words, meaning)).toEqual([
    { id: 'a', place: 1 },
    { id: 'b', place: 2 },
    { id: 'c', place: 4 },
  ]);
  expect(betterPlaces(words, [])).toEqual(ranking('a', 'b'));
});

it('those with every word of the question stand above those that only mean the same', () => {
  const words = ranking('a', 'b', 'c', 'd').map((one) => ({ ...one, whole: ['a', 'b', 'd'].includes(one.id) }));
  expect(betterPlaces(words, ranking('e', 'd', 'c'))).toEqual([
    { id: 'a', place: 1 },
    { id: 'b', place: 2 },
    { id: 'c', place: 3 },
    { id: 'd', place: 4 },
    { id: 'e', place: 5 },
  ]);
  expect(betterPlaces(words, ranking('d')).at(-1)).toEqual({ id: 'd', place: 2 });
});

it('fifty with every word leave one that only means the same five places further down, and no more', () => {
  const words = Array.from({ length: 50 }, (_, index) => ({ id: `w${String(index)}`, place: index + 1, whole: true }));
  expect(betterPlaces(words, ranking('m')).at(-1)).toEqual({ id: 'm', place: 7 });
});
