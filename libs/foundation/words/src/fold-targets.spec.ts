import { foldTargets } from './fold-targets.js';

const web = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `web-${String(from + index).padStart(2, '0')}`);

describe('a fold of targets', () => {
  it.each<[string, string[], string[]]>([
    ['names in a row', web(1, 47), ['web-01 … web-47 (47)']],
    ['a gap', [...web(1, 3), ...web(5, 8)], ['web-01 … web-03 (3)', 'web-05 … web-08 (4)']],
    ['only two', web(1, 2), ['web-01', 'web-02']],
    ['names without numbers', ['db', 'cache'], ['db', 'cache']],
    ['names that count backwards', ['a2', 'a1'], ['a2', 'a1']],
    ['the same name twice', ['a1', 'a1'], ['a1', 'a1']],
    ['a number inside', ['eu-1.example', 'eu-2.example', 'eu-3.example'], ['eu-1.example … eu-3.example (3)']],
    ['another width', ['a9', 'a10', 'a11'], ['a9 … a11 (3)']],
    ['padding that differs', ['a09', 'a010'], ['a09', 'a010']],
    ['nothing', [], []],
  ])('folds %s', (_what, targets, folded) => {
    expect(foldTargets(targets)).toEqual(folded);
  });
});
