import { maskChunk, maskHeld, type HeldText } from '#lib/kernel';

/** The most bytes and chunks of output that are kept of one call. */
const MAX_OUTPUT_BYTES = 262_144;
const MAX_CHUNKS = 2_000;

interface Chunk {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The text of each stream that may be the beginning of a secret, and is not kept as output yet. Null for none. */
export type HeldOutput = Readonly<Record<Chunk['stream'], HeldText>> | null;

/** How much output of a call is kept. */
interface OutputProgress {
  readonly outputSeq: number;
  readonly outputBytes: number;
  readonly outputCut: boolean;
  readonly outputHeld: HeldOutput;
}

/** Output to keep, and how much is kept with it. */
interface KeptOutput {
  readonly chunks: readonly Chunk[];
  readonly progress: OutputProgress;
}

const NOTHING_HELD = { stdout: [], stderr: [] };

/**
 * Which of these chunks are new and within the cap. Everything after the first chunk beyond the cap is left out. They are masked as one
 * text of their stream, so that a secret in two chunks is masked, too (T32). If a chunk ends with the beginning of a secret, that part moves
 * to the next chunk.
 *
 * @param firstSeq the number of the first chunk, from 1.
 * @returns null if chunks in between are missing.
 */
export function keepOutput(kept: OutputProgress, firstSeq: number, chunks: readonly Chunk[]): KeptOutput | null {
  if (kept.outputCut) return { chunks: [], progress: kept };
  if (firstSeq > kept.outputSeq + 1) return null;
  const fresh = chunks.slice(kept.outputSeq + 1 - firstSeq);
  const within: Chunk[] = [];
  let { outputSeq, outputBytes, outputHeld } = kept;
  for (const { stream, text } of fresh) {
    const { shown, held } = maskChunk(outputHeld?.[stream] ?? [], text);
    const bytes = Buffer.byteLength(shown);
    if (outputBytes + bytes > MAX_OUTPUT_BYTES || outputSeq >= MAX_CHUNKS)
      return { chunks: within, progress: { outputSeq, outputBytes, outputCut: true, outputHeld: null } };
    within.push({ stream, text: shown });
    outputBytes += bytes;
    outputSeq += 1;
    outputHeld = { ...(outputHeld ?? NOTHING_HELD), [stream]: held };
  }
  return { chunks: within, progress: { outputSeq, outputBytes, outputCut: false, outputHeld } };
}

/** The text that was held back, masked, once no more comes. */
export function keepHeld({ outputSeq, outputBytes, outputCut, outputHeld }: OutputProgress): KeptOutput {
  const chunks = (['stdout', 'stderr'] as const)
    .map((stream) => ({ stream, text: maskHeld(outputHeld?.[stream] ?? []) }))
    .filter(({ text }) => text !== '');
  return { chunks, progress: { outputSeq: outputSeq + chunks.length, outputBytes, outputCut, outputHeld: null } };
}
