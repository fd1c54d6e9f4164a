import { chooseHits, type Scored } from './choose-hits.js';
import type { Ending } from './ending.js';

const hit = (score: number, ending: Ending = 'good', warns = false): Scored => ({ score, ending, warns });
const scoresOf = (hits: readonly Scored[]): readonly number[] => hits.map(({ score }) => score);

it('puts one bad outcome above ten good ones', () => {
  const good = Array.from({ length: 10 }, (_, index) => hit(100 - index));
  expect(scoresOf(chooseHits([...good, hit(60, 'bad')], 11))[0]).toBe(60);
});

it('gives the last place to a bad outcome that would be left out', () => {
  expect(scoresOf(chooseHits([hit(9), hit(8), hit(7), hit(6, 'bad'), hit(5, 'bad')], 3))).toEqual([6, 9, 8]);
});

it('leaves out a bad outcome that has little to do with the question, and keeps its place in a page', () => {
  expect(scoresOf(chooseHits([hit(9), hit(8), hit(4, 'bad')], 2))).toEqual([9, 8]);
  expect(scoresOf(chooseHits([hit(9), hit(4, 'bad'), hit(3)], 3))).toEqual([9, 4, 3]);
});

it('shows the newest bad outcome of the same shape whatever its score', () => {
  expect(scoresOf(chooseHits([hit(9), hit(8, 'bad'), hit(7), hit(0, 'bad', true)], 3))).toEqual([8, 0, 9]);
});

it('keeps the order of everything else, refused or lapsed or good', () => {
  expect(scoresOf(chooseHits([hit(9), hit(8, 'refused'), hit(7, 'lapsed')], 5))).toEqual([9, 8, 7]);
  expect(chooseHits([], 5)).toEqual([]);
});
