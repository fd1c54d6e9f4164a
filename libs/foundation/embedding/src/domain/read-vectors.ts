import { z } from 'zod';
import { EmbedderFailedError } from './embedder-failed.js';

/** Longer vectors are not kept. */
const MAX_DIMENSIONS = 4_096;

const answer = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()).min(2).max(MAX_DIMENSIONS) })),
});

/**
 * The vectors of an answer, in the order of the texts, each of length 1.
 *
 * @param count how many texts were asked about.
 * @param dimensions the length of a vector that was asked for; null for any.
 * @throws EmbedderFailedError if a text has no vector, or vectors differ in length.
 */
export function readVectors(body: string, count: number, dimensions: number | null): readonly Float32Array[] {
  const read = answer.safeParse(parsed(body));
  if (!read.success) throw malformed('It is not a list of embeddings.');
  const { data } = read.data;
  const ordered = data.toSorted((one, other) => one.index - other.index);
  if (ordered.length !== count || ordered.some(({ index }, at) => index !== at))
    throw malformed(`It has ${String(data.length)} vectors for ${String(count)} texts.`);
  const length = dimensions ?? ordered[0]?.embedding.length;
  return ordered.map(({ embedding }) => {
    if (embedding.length !== length)
      throw malformed(`A vector has ${String(embedding.length)} dimensions, not ${String(length)}.`);
    return unit(embedding);
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Of unit vectors, the product is the cosine of their angle. */
function unit(embedding: readonly number[]): Float32Array {
  const length = Math.hypot(...embedding);
  if (!Number.isFinite(length) || length === 0) throw malformed('A vector has no direction.');
  return Float32Array.from(embedding, (part) => part / length);
}

const malformed = (what: string): EmbedderFailedError =>
  new EmbedderFailedError('unavailable', `The answer makes no sense. ${what}`);
