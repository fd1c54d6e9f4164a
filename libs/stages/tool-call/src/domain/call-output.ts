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

/** How much output of a call is kept. */
export interface OutputStanding {
  /** The number of the last chunk; 0 without one. */
  readonly seq: number;
  readonly bytes: number;
  readonly cut: boolean;
}

/** More output of one call is left out. */
export const MAX_OUTPUT_BYTES = 1_048_576;
/** However short they are, more chunks than these are left out, too: each is a row. */
export const MAX_OUTPUT_CHUNKS = 2_000;

const MARKER = '[more output is left out]';

/**
 * The chunks that are new and within the cap, after which a marker stands in place of the rest. Chunks that were kept before are
 * ignored, so that a caller may send them again.
 *
 * @param firstSeq the number of the first chunk.
 * @returns null if chunks in between are missing.
 */
export function chunksToKeep(
  kept: OutputStanding,
  firstSeq: number,
  chunks: readonly CallChunk[],
): readonly KeptChunk[] | null {
  if (kept.cut) return [];
  if (firstSeq > kept.seq + 1) return null;
  const fresh: KeptChunk[] = [];
  let { bytes } = kept;
  for (const { stream, text } of chunks.slice(kept.seq + 1 - firstSeq)) {
    const seq = kept.seq + fresh.length + 1;
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_OUTPUT_BYTES || seq > MAX_OUTPUT_CHUNKS)
      return [...fresh, { seq, stream: 'stderr', text: MARKER, cut: true }];
    fresh.push({ seq, stream, text, cut: false });
  }
  return fresh;
}
