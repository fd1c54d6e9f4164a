import fc from 'fast-check';
import { cutFile } from './cut-file.js';
import type { OutlineNode } from './piece.js';

const LIMITS = { lines: 6, characters: 200 };

const node = (first: number, last: number, changes: Partial<OutlineNode> = {}): OutlineNode => ({
  ...{ first, last, name: null, kind: null, imports: false, members: [], children: [] },
  ...changes,
});
const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${String(at + 1)}`);
const ranges = (...given: Parameters<typeof cutFile>) =>
  cutFile(...given).map(({ firstLine, lastLine, symbols }) => [firstLine, lastLine, symbols.join(' ')]);

describe('cutting a file', () => {
  it('keeps a declaration whole, and the lines between apart', () => {
    const outline = [
      node(2, 7, { name: 'one', kind: 'function' }),
      node(8, 13, { name: 'two', kind: 'class', members: ['go'] }),
    ];
    expect(ranges(lines(16), outline, { lines: 6, characters: 1_000 })).toEqual([
      [1, 2, ''],
      [3, 8, 'one'],
      [9, 14, 'two two.go'],
      [15, 16, ''],
    ]);
  });

  it('joins small neighbours', () => {
    const outline = [node(0, 0, { imports: true }), node(1, 2, { name: 'a' }), node(3, 4, { name: 'b' })];
    expect(cutFile(lines(5), outline, LIMITS)).toMatchObject([
      { firstLine: 1, lastLine: 5, symbols: ['a', 'b'], imports: 'line 1' },
    ]);
  });

  it('joins small declarations only until they have 20 lines together', () => {
    const outline = Array.from({ length: 12 }, (_, at) =>
      node(at * 3, at * 3 + 1, { name: `n${String(at)}`, kind: 'function' }),
    );
    const pieces = cutFile(lines(36), outline, { lines: 60, characters: 6_000 });
    expect(pieces.map(({ firstLine, lastLine }) => lastLine - firstLine + 1)).toEqual([21, 15]);
    const long = [node(0, 3, { name: 'a', kind: 'function' }), node(4, 33, { name: 'b', kind: 'function' })];
    expect(ranges(lines(34), long, { lines: 60, characters: 6_000 })).toEqual([
      [1, 4, 'a'],
      [5, 34, 'b'],
    ]);
  });

  it('cuts a large class at its methods, which have its name in front', () => {
    const methods = [node(1, 4, { name: 'go', kind: 'method' }), node(5, 8, { name: 'stop', kind: 'method' })];
    const outline = [node(0, 9, { name: 'Car', kind: 'class', children: methods })];
    expect(ranges(lines(10), outline, LIMITS)).toEqual([
      [1, 5, 'Car Car.go'],
      [6, 10, 'Car.stop Car'],
    ]);
  });

  it('cuts a long text without an outline at an empty line', () => {
    const text = ['a', 'b', 'c', 'd', '', 'e', 'f', 'g'];
    expect(ranges(text, [], LIMITS)).toEqual([
      [1, 5, ''],
      [6, 8, ''],
    ]);
  });

  it('has no piece for a file without lines', () => {
    expect(cutFile([], [], LIMITS)).toEqual([]);
  });

  it('has each line in exactly one piece, in order, within the limits', () => {
    const level = fc.letrec<{ nodes: [number, number, unknown][] }>((tie) => ({
      nodes: fc.array(
        fc.tuple(fc.nat(8), fc.nat(12), fc.oneof({ depthSize: 'small' }, fc.constant([]), tie('nodes'))),
        { maxLength: 5 },
      ) as fc.Arbitrary<[number, number, unknown][]>,
    })).nodes;
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 60 }), level, (text, tree) => {
        const pieces = cutFile(text, positioned(tree, 0), LIMITS);
        const covered = pieces.flatMap(({ firstLine, lastLine }) =>
          Array.from({ length: lastLine - firstLine + 1 }, (_, at) => firstLine + at),
        );
        expect(covered).toEqual(text.map((_, at) => at + 1));
        for (const { firstLine, lastLine } of pieces) {
          const own = text.slice(firstLine - 1, lastLine);
          expect(own.length).toBeLessThanOrEqual(LIMITS.lines);
          if (own.length > 1) expect(own.join('\n').length).toBeLessThanOrEqual(LIMITS.characters);
        }
      }),
    );
  });
});

/** Nodes with gaps between them, and overlaps: a grammar may have any. */
function positioned(tree: readonly [number, number, unknown][], start: number): OutlineNode[] {
  let next = start;
  return tree.map(([gap, length, inner], at) => {
    const first = next + gap;
    next = first + length;
    const children = positioned(inner as [number, number, unknown][], first);
    return node(first, next, { name: at % 2 === 0 ? `n${String(at)}` : null, children });
  });
}
