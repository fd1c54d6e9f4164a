import { askEmbedder, EmbedderFailedError } from '#lib/embedding';
import { maskSecretText } from '#lib/kernel';
import { guardedAgent } from '#lib/outbound';
import type { SearchEmbedder } from '../domain/search-job.js';
import { nearness } from '../domain/short-vector.js';
import { EmbedPieces, MAX_BATCH_SIZE, type EmbedderTime, type VectorPiece } from './embed-pieces.js';
import { readVectors, writeVectors, type PieceVectors } from './kept-vectors.js';

/** How far the vectors of a workspace are, and the pieces nearest to a question. */
export interface MeaningOfPieces {
  /** Best first; null if the question has no vector. */
  readonly nearest: readonly number[] | null;
  /** Pieces with a vector, those that have none yet, and why the embedder gave none, without its token. */
  readonly state: { readonly pieces: number; readonly waiting: number; readonly error: string | null };
}

/** More pieces get no vector. */
const MAX_VECTORS = 20_000;
/** So many of the nearest count. */
const NEAREST = 20;
const CONNECT_MS = 3_000;

/**
 * Gives pieces their vectors, those that come first at first, and finds the nearest to a question. Texts go to the embedder that the
 * operator of the runner named, with secrets masked, and nowhere else.
 *
 * @param until a time of the process's monotonic clock, after which no request begins.
 */
export async function meaningOfPieces(
  folder: string,
  embedder: SearchEmbedder,
  query: string,
  pieces: readonly VectorPiece[],
  until: number,
): Promise<MeaningOfPieces> {
  const madeBy = JSON.stringify([embedder.url, embedder.model, embedder.dimensions]);
  const { hostname, host, port } = new URL(embedder.url);
  // The operator of the runner named this host: no other one can be meant.
  const agent = guardedAgent([port === '' ? hostname : host], 'own', CONNECT_MS, embedder.ca);
  const time: EmbedderTime = {
    ask: (texts, waitMs) => askEmbedder(agent, embedder, texts, waitMs),
    now: () => performance.now(),
    until,
  };
  try {
    const kept = await readVectors(folder, madeBy);
    const { vectors } = kept;
    const known = vectors.size;
    const embedding = new EmbedPieces(vectors, time, kept.batch ?? MAX_BATCH_SIZE, kept.late);
    let error: string | null = null;
    let asked: Float32Array | undefined;
    try {
      asked = await embedding.question(maskSecretText(query));
      await embedding.give(pieces.slice(0, MAX_VECTORS), asked?.length ?? 0);
    } catch (problem) {
      if (!(problem instanceof EmbedderFailedError)) throw problem;
      error = problem.message;
    }
    const { batch, late } = embedding;
    if (vectors.size > known || batch !== (kept.batch ?? MAX_BATCH_SIZE) || late !== kept.late)
      await writeVectors(folder, madeBy, { vectors: bounded(vectors, pieces), batch, late });
    const there = pieces.filter(({ key }) => vectors.has(key)).length;
    return {
      nearest: asked === undefined || there === 0 ? null : nearestOf(asked, pieces, vectors),
      state: { pieces: there, waiting: Math.min(pieces.length, MAX_VECTORS) - there, error },
    };
  } finally {
    void agent.destroy();
  }
}

/** Vectors of the pieces of this call stay, and others as long as there is room. */
function bounded(vectors: PieceVectors, pieces: readonly VectorPiece[]): PieceVectors {
  const now = new Set(pieces.map(({ key }) => key));
  return new Map(
    [...vectors].sort(([one], [other]) => Number(now.has(other)) - Number(now.has(one))).slice(0, MAX_VECTORS),
  );
}

const nearestOf = (asked: Float32Array, pieces: readonly VectorPiece[], vectors: PieceVectors): readonly number[] =>
  pieces
    .flatMap(({ id, key }) => {
      const vector = vectors.get(key);
      return vector === undefined ? [] : [{ id, near: nearness(asked, vector) }];
    })
    .sort((one, other) => other.near - one.near)
    .slice(0, NEAREST)
    .map(({ id }) => id);
