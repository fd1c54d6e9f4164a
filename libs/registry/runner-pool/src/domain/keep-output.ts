/** The most bytes and chunks of output that are kept of one call. */
const MAX_OUTPUT_BYTES = 262_144;
const MAX_CHUNKS = 2_000;

/** How much output of a call is kept. */
interface OutputProgress {
  readonly outputSeq: number;
  readonly outputBytes: number;
  readonly outputCut: boolean;
}

/**
 * Which of these chunks are new and within the cap. Everything after the first chunk beyond the cap is left out.
 *
 * @param firstSeq the number of the first chunk, from 1.
 * @returns null if chunks in between are missing.
 */
export function keepOutput<Chunk extends { readonly text: string }>(
  kept: OutputProgress,
  firstSeq: number,
  chunks: readonly Chunk[],
): { readonly chunks: readonly Chunk[]; readonly progress: OutputProgress } | null {
  if (kept.outputCut) return { chunks: [], progress: kept };
  if (firstSeq > kept.outputSeq + 1) return null;
  const fresh = chunks.slice(kept.outputSeq + 1 - firstSeq);
  const within: Chunk[] = [];
  let { outputSeq, outputBytes } = kept;
  for (const chunk of fresh) {
    const bytes = Buffer.byteLength(chunk.text);
    if (outputBytes + bytes > MAX_OUTPUT_BYTES || outputSeq >= MAX_CHUNKS)
      return { chunks: within, progress: { outputSeq, outputBytes, outputCut: true } };
    within.push(chunk);
    outputBytes += bytes;
    outputSeq += 1;
  }
  return { chunks: within, progress: { outputSeq, outputBytes, outputCut: false } };
}
