import { fuseRankings } from './fuse-rankings.js';

it('puts a document of two rankings above the first of one', () => {
  expect(
    fuseRankings([
      ['a', 'b'],
      ['c', 'b'],
    ]).map(({ id }) => id),
  ).toEqual(['b', 'c', 'a']);
});

it('adds 1 / (60 + place) for each ranking', () => {
  expect(fuseRankings([['a'], ['b', 'a']])).toEqual([
    { id: 'a', score: 1 / 61 + 1 / 62 },
    { id: 'b', score: 1 / 61 },
  ]);
});

it('puts the newer first if two have the same score, and knows nothing of nothing', () => {
  expect(fuseRankings([['0190-a'], ['0191-b']]).map(({ id }) => id)).toEqual(['0191-b', '0190-a']);
  expect(fuseRankings([])).toEqual([]);
});
