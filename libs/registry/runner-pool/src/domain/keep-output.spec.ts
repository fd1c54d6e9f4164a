import { keepHeld, keepOutput } from './keep-output.js';

const nothing = { outputSeq: 0, outputBytes: 0, outputCut: false, outputHeld: null };
const texts = (...all: string[]) => all.map((text) => ({ stream: 'stdout' as const, text }));

it('keeps chunks in order', () => {
  expect(keepOutput(nothing, 1, texts('1', '23'))).toMatchObject({
    chunks: texts('1', '23'),
    progress: { outputSeq: 2, outputBytes: 3, outputCut: false },
  });
});

it('ignores chunks that it has, and keeps those after them', () => {
  const kept = { ...nothing, outputSeq: 2, outputBytes: 3 };
  expect(keepOutput(kept, 2, texts('23', '4'))).toMatchObject({
    chunks: texts('4'),
    progress: { outputSeq: 3, outputBytes: 4, outputCut: false },
  });
  expect(keepOutput(kept, 1, texts('1'))).toEqual({ chunks: [], progress: kept });
});

it('refuses a gap', () => {
  expect(keepOutput(nothing, 2, texts('2'))).toBeNull();
});

it('leaves out all that comes after the cap, by bytes and by chunks', () => {
  const half = 'é'.repeat(65_536);
  const bytes = keepOutput(nothing, 1, texts(half, half, '7', '8'));
  expect(bytes).toMatchObject({
    chunks: { length: 2 },
    progress: { outputSeq: 2, outputBytes: 262_144, outputCut: true },
  });
  expect(keepOutput({ ...nothing, outputSeq: 2_000 }, 2_001, texts('7'))?.progress.outputCut).toBe(true);
  const cut = { ...nothing, outputSeq: 2, outputBytes: 3, outputCut: true };
  expect(keepOutput(cut, 9, texts('later'))).toEqual({ chunks: [], progress: cut });
});

it('T32: masks a secret that comes in two chunks of its stream, with the second', () => {
  const secret = `ghp_${'a'.repeat(36)}`;
  const first = keepOutput(nothing, 1, texts(`a ${secret.slice(0, 9)}`));
  expect(first?.chunks).toEqual(texts('a '));
  const other = keepOutput(first?.progress ?? nothing, 2, [{ stream: 'stderr', text: 'no ' }]);
  const second = keepOutput(other?.progress ?? nothing, 3, texts(`${secret.slice(9)}\ntok`));
  expect(second?.chunks).toEqual(texts('[masked]\n'));
  const end = keepHeld(second?.progress ?? nothing);
  expect(end).toMatchObject({ chunks: texts('tok'), progress: { outputSeq: 4, outputHeld: null } });
  expect(keepHeld(end.progress).chunks).toEqual([]);
});
