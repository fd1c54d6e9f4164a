import fc from 'fast-check';
import { maskSecrets } from '#lib/kernel';
import {
  chunksToKeep,
  heldChunks,
  MAX_OUTPUT_BYTES,
  MAX_OUTPUT_CHUNKS,
  NOTHING_HELD,
  type CallChunk,
  type KeptChunk,
  type OutputStanding,
} from './call-output.js';

const chunk = (text: string): CallChunk => ({ stream: 'stdout', text });
const NOTHING: OutputStanding = { seq: 0, bytes: 0, cut: false, held: NOTHING_HELD };
const fresh = (kept: Partial<OutputStanding>, firstSeq: number, chunks: readonly CallChunk[]) =>
  chunksToKeep({ ...NOTHING, ...kept }, firstSeq, chunks)?.chunks ?? null;

describe('output of a call', () => {
  it('is numbered on, and ignores chunks that were kept before', () => {
    expect(fresh(NOTHING, 1, [chunk('1'), chunk('2')])).toEqual([
      { ...chunk('1'), seq: 1, cut: false },
      { ...chunk('2'), seq: 2, cut: false },
    ]);
    const kept = { seq: 2, bytes: 2, cut: false };
    expect(fresh(kept, 2, [chunk('2'), chunk('3')])).toEqual([{ ...chunk('3'), seq: 3, cut: false }]);
    expect(fresh(kept, 1, [chunk('1'), chunk('2')])).toEqual([]);
  });

  it('has no gaps', () => {
    expect(fresh(NOTHING, 2, [chunk('2')])).toBeNull();
  });

  it('T24: ends with a marker at its cap, in bytes', () => {
    const half = 'ä'.repeat(MAX_OUTPUT_BYTES / 4);
    const kept = { seq: 1, bytes: MAX_OUTPUT_BYTES / 2, cut: false };
    expect(fresh(kept, 2, [chunk(half), chunk('7'), chunk('8')])).toEqual([
      { ...chunk(half), seq: 2, cut: false },
      { stream: 'stderr', text: expect.stringContaining('left out') as string, seq: 3, cut: true },
    ]);
    expect(fresh({ seq: 3, bytes: MAX_OUTPUT_BYTES, cut: true }, 4, [chunk('9')])).toEqual([]);
  });

  it('T24: ends with a marker at its cap, in chunks', () => {
    const kept = { seq: MAX_OUTPUT_CHUNKS - 1, bytes: 9, cut: false };
    const last = fresh(kept, MAX_OUTPUT_CHUNKS, [chunk('7'), chunk('8'), chunk('9')]);
    expect(last?.map(({ text, cut }) => [text, cut])).toEqual([
      ['7', false],
      [expect.stringContaining('left out'), true],
    ]);
  });
});

/** All that is kept of these chunks, if they come in requests of this size, each sent twice. */
function keptOf(chunks: readonly CallChunk[], size: number): readonly KeptChunk[] {
  let standing = NOTHING;
  const kept: KeptChunk[] = [];
  for (let at = 0; at < chunks.length; at += size)
    for (let time = 0; time < 2; time += 1) {
      const next = chunksToKeep(standing, at + 1, chunks.slice(at, at + size));
      if (next === null) throw new Error('a chunk is missing');
      kept.push(...next.chunks);
      standing = { ...standing, seq: kept.length, held: next.held };
    }
  return [...kept, ...heldChunks(standing)];
}

describe('T32: output in chunks', () => {
  const SECRET = `ghp_${'a'.repeat(36)}`;
  const textIn = (stream: string, chunks: readonly CallChunk[]): string =>
    chunks.map((one) => (one.stream === stream ? one.text : '')).join('');

  it('is masked as the whole of its stream, in any chunks and requests, also sent twice', () => {
    const piece = fc.constantFrom(
      'line\n',
      'to',
      'ken=',
      'hunter22 ',
      SECRET.slice(0, 9),
      SECRET.slice(9),
      ' ',
      '"a b"',
    );
    const stream = fc.constantFrom('stdout' as const, 'stderr' as const);
    const chunks = fc.array(fc.record({ stream, text: piece }), { maxLength: 12 });
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 5 }), (given, size) => {
        const kept = keptOf(given, size);
        expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, at) => at + 1));
        for (const one of ['stdout', 'stderr']) expect(textIn(one, kept)).toBe(maskSecrets(textIn(one, given)));
      }),
    );
  });

  it('has no text of its own for a chunk that may go on as a secret', () => {
    const first = chunksToKeep(NOTHING, 1, [chunk(`token ${SECRET.slice(0, 12)}`)]);
    expect(first?.chunks.map(({ text }) => text)).toEqual(['']);
    const next = { ...NOTHING, seq: 1, held: first?.held ?? NOTHING_HELD };
    expect(fresh(next, 2, [chunk(`${SECRET.slice(12)}\n`)])?.map(({ text }) => text)).toEqual(['token [masked]\n']);
  });

  it('shows at its end the text that was held back, and none after a cut', () => {
    const held = chunksToKeep(NOTHING, 1, [chunk('a tok')])?.held ?? NOTHING_HELD;
    const end = heldChunks({ ...NOTHING, seq: 1, held });
    expect(end).toEqual([{ seq: 2, stream: 'stdout', text: 'tok', cut: false }]);
    expect(heldChunks({ ...NOTHING, seq: 1, cut: true, held })).toEqual([]);
  });
});
