import { fuseRankings } from './fuse-rankings.js';

const hit = (id: number, ...terms: string[]) => ({ id, terms });

it('adds the reciprocal ranks with k = 60, and says which ranking has a piece', () => {
  const fused = fuseRankings([
    { name: 'words', hits: [hit(1, 'a'), hit(2)] },
    { name: 'structure', hits: [hit(2, 'b'), hit(3)] },
  ]);
  expect(fused).toEqual([
    {
      ...{ id: 2, score: 1 / 62 + 1 / 61 },
      reasons: [
        { ranking: 'structure', rank: 1, terms: ['b'] },
        { ranking: 'words', rank: 2, terms: [] },
      ],
    },
    { id: 1, score: 1 / 61, reasons: [{ ranking: 'words', rank: 1, terms: ['a'] }] },
    { id: 3, score: 1 / 62, reasons: [{ ranking: 'structure', rank: 2, terms: [] }] },
  ]);
});
