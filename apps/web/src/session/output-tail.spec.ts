import { outputTail, type OutputChunk } from './output-tail.js';

const chunk = (text: string, seq = 1, stream: OutputChunk['stream'] = 'stdout'): OutputChunk => ({ seq, stream, text });
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${String(at + 1)}\n`).join('');
const told = (...chunks: OutputChunk[]): string =>
  outputTail(chunks)
    .chunks.map(({ text }) => text)
    .join('');

describe('the end of an output', () => {
  it.each([
    ['nothing', ''],
    ['one line', 'done'],
    ['twelve lines', lines(12)],
    ['twelve lines without a last end', lines(12).slice(0, -1)],
  ])('is all of it for %s', (_what, text) => {
    expect(outputTail([chunk(text)])).toEqual({ chunks: text === '' ? [] : [chunk(text)], hiddenLines: 0 });
  });

  it('is twelve lines of more, with the number of those before', () => {
    const { hiddenLines } = outputTail([chunk(lines(30))]);
    expect(hiddenLines).toBe(18);
    expect(told(chunk(lines(30)))).toBe(lines(30).slice(lines(18).length));
    expect(told(chunk(lines(13)))).toBe(lines(13).slice('line 1\n'.length));
  });

  it('keeps the stream of each piece, and goes over their borders', () => {
    const chunks = [chunk(lines(10), 1), chunk('war', 2, 'stderr'), chunk('ning\n', 3, 'stderr'), chunk(lines(9), 4)];
    const { chunks: kept, hiddenLines } = outputTail(chunks);
    expect(hiddenLines).toBe(8);
    expect(kept.map(({ seq, stream }) => [seq, stream])).toEqual([
      [1, 'stdout'],
      [2, 'stderr'],
      [3, 'stderr'],
      [4, 'stdout'],
    ]);
    expect(kept[0]?.text).toBe('line 9\nline 10\n');
  });

  it('cuts a line that is longer than its room', () => {
    const { chunks, hiddenLines } = outputTail([chunk('x'.repeat(5_000))]);
    expect([chunks[0]?.text.length, hiddenLines]).toEqual([1_600, 1]);
  });

  it('counts empty lines', () => {
    expect(told(chunk(`${'\n'.repeat(20)}end`))).toBe(`${'\n'.repeat(11)}end`);
  });
});
