import { maskChunk, maskHeld, type HeldText } from '#lib/kernel';

/** Text that a call wrote, as it arrived. */
export interface CallChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** A chunk as it is kept, with its number from 1. `cut`: output after it is left out. */
export interface KeptChunk extends CallChunk {
  readonly seq: number;
  readonly cut: boolean;
}

/** The text of each stream that may be the beginning of a secret, and is not kept as output yet. */
export type HeldOutput = Readonly<Record<CallChunk['stream'], HeldText>>;

export const NOTHING_HELD: HeldOutput = { stdout: [], stderr: [] };

/** How much output of a call is kept. */
export interface OutputStanding {
  /** The number of the last chunk; 0 without one. */
  readonly seq: number;
  readonly bytes: number;
  readonly cut: boolean;
  readonly held: HeldOutput;
}

/** More output of one call is left out. */
export const MAX_OUTPUT_BYTES = 1_048_576;
/** However short they are, more chunks than these are left out, too: each is a row. */
export const MAX_OUTPUT_CHUNKS = 2_000;

const MARKER = '[more output is left out]';

/** Output that is new, and the text that is held back after it. */
interface FreshOutput {
  readonly chunks: readonly KeptChunk[];
  readonly held: HeldOutput;
}

/**
 * The chunks that are new and within the cap, after which a marker stands in place of the rest. Chunks that were kept before are
 * ignored, so that a caller may send them again. They are masked as one text of their stream, so that a secret in two chunks is masked,
 * too (T32). If a chunk ends with the beginning of a secret, that part moves to the next chunk.
 *
 * @param firstSeq the number of the first chunk.
 * @returns null if chunks in between are missing.
 */
export function chunksToKeep(kept: OutputStanding, firstSeq: number, chunks: readonly CallChunk[]): FreshOutput | null {
  if (kept.cut) return { chunks: [], held: NOTHING_HELD };
  if (firstSeq > kept.seq + 1) return null;
  const fresh: KeptChunk[] = [];
  let { bytes, held } = kept;
  for (const { stream, text } of chunks.slice(kept.seq + 1 - firstSeq)) {
    const seq = kept.seq + fresh.length + 1;
    const masked = maskChunk(held[stream], text);
    bytes += Buffer.byteLength(masked.shown);
    if (bytes > MAX_OUTPUT_BYTES || seq > MAX_OUTPUT_CHUNKS)
      return { chunks: [...fresh, { seq, stream: 'stderr', text: MARKER, cut: true }], held: NOTHING_HELD };
    fresh.push({ seq, stream, text: masked.shown, cut: false });
    held = { ...held, [stream]: masked.held };
  }
  return { chunks: fresh, held };
}

/** The text that was held back, masked, once no more comes. */
export function heldChunks({ seq, cut, held }: OutputStanding): readonly KeptChunk[] {
  if (cut) return [];
  return (['stdout', 'stderr'] as const)
    .map((stream) => ({ stream, text: maskHeld(held[stream]), cut: false }))
    .filter(({ text }) => text !== '')
    .map((chunk, at) => ({ ...chunk, seq: seq + at + 1 }));
}
