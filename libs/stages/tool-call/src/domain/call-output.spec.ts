import { chunksToKeep, MAX_OUTPUT_BYTES, MAX_OUTPUT_CHUNKS, type CallChunk } from './call-output.js';

const chunk = (text: string): CallChunk => ({ stream: 'stdout', text });
const NOTHING = { seq: 0, bytes: 0, cut: false };

describe('output of a call', () => {
  it('is numbered on, and ignores chunks that were kept before', () => {
    expect(chunksToKeep(NOTHING, 1, [chunk('a'), chunk('b')])).toEqual([
      { ...chunk('a'), seq: 1, cut: false },
      { ...chunk('b'), seq: 2, cut: false },
    ]);
    const kept = { seq: 2, bytes: 2, cut: false };
    expect(chunksToKeep(kept, 2, [chunk('b'), chunk('c')])).toEqual([{ ...chunk('c'), seq: 3, cut: false }]);
    expect(chunksToKeep(kept, 1, [chunk('a'), chunk('b')])).toEqual([]);
  });

  it('has no gaps', () => {
    expect(chunksToKeep(NOTHING, 2, [chunk('b')])).toBeNull();
  });

  it('T24: ends with a marker at its cap, in bytes', () => {
    const half = 'ä'.repeat(MAX_OUTPUT_BYTES / 4);
    const kept = { seq: 1, bytes: MAX_OUTPUT_BYTES / 2, cut: false };
    expect(chunksToKeep(kept, 2, [chunk(half), chunk('x'), chunk('y')])).toEqual([
      { ...chunk(half), seq: 2, cut: false },
      { stream: 'stderr', text: expect.stringContaining('left out') as string, seq: 3, cut: true },
    ]);
    expect(chunksToKeep({ seq: 3, bytes: MAX_OUTPUT_BYTES, cut: true }, 4, [chunk('z')])).toEqual([]);
  });

  it('T24: ends with a marker at its cap, in chunks', () => {
    const kept = { seq: MAX_OUTPUT_CHUNKS - 1, bytes: 9, cut: false };
    const fresh = chunksToKeep(kept, MAX_OUTPUT_CHUNKS, [chunk('x'), chunk('y'), chunk('z')]);
    expect(fresh?.map(({ text, cut }) => [text, cut])).toEqual([
      ['x', false],
      [expect.stringContaining('left out'), true],
    ]);
  });
});
