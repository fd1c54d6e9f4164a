import { keepOutput } from './keep-output.js';

const nothing = { outputSeq: 0, outputBytes: 0, outputCut: false };
const texts = (...all: string[]) => all.map((text) => ({ text }));

it('keeps chunks in order', () => {
  expect(keepOutput(nothing, 1, texts('a', 'bc'))).toEqual({
    chunks: texts('a', 'bc'),
    progress: { outputSeq: 2, outputBytes: 3, outputCut: false },
  });
});

it('ignores chunks that it has, and keeps those after them', () => {
  const kept = { outputSeq: 2, outputBytes: 3, outputCut: false };
  expect(keepOutput(kept, 2, texts('bc', 'd'))).toEqual({
    chunks: texts('d'),
    progress: { outputSeq: 3, outputBytes: 4, outputCut: false },
  });
  expect(keepOutput(kept, 1, texts('a'))).toEqual({ chunks: [], progress: kept });
});

it('refuses a gap', () => {
  expect(keepOutput(nothing, 2, texts('b'))).toBeNull();
});

it('leaves out all that comes after the cap, by bytes and by chunks', () => {
  const half = 'é'.repeat(65_536);
  const bytes = keepOutput(nothing, 1, texts(half, half, 'x', 'y'));
  expect(bytes).toMatchObject({
    chunks: { length: 2 },
    progress: { outputSeq: 2, outputBytes: 262_144, outputCut: true },
  });
  expect(
    keepOutput({ outputSeq: 2_000, outputBytes: 0, outputCut: false }, 2_001, texts('x'))?.progress.outputCut,
  ).toBe(true);
  const cut = { outputSeq: 2, outputBytes: 3, outputCut: true };
  expect(keepOutput(cut, 9, texts('later'))).toEqual({ chunks: [], progress: cut });
});
