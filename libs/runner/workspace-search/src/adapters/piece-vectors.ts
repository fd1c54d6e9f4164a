import { askEmbedder, EmbedderFailedError, nextBatchSize } from '#lib/embedding';
import { maskSecretText } from '#lib/kernel';
import { guardedAgent } from '#lib/outbound';
import type { SearchEmbedder } from '../domain/search-job.js';
import { nearness, shortVector } from '../domain/short-vector.js';
import { readVectors, writeVectors, type PieceVectors } from './kept-vectors.js';

/** A piece that a search may find, with the key of its vector. */
export interface VectorPiece {
  readonly id: number;
  readonly key: string;
  /** Its lines, with its path; null if its file changed meanwhile. */
  readonly text: () => Promise<string | null>;
}

/** How far the vectors of a workspace are, and the pieces nearest to a question. */
export interface MeaningOfPieces {
  /** Best first; null if the question has no vector. */
  readonly nearest: readonly number[] | null;
  /** Pieces with a vector, those that have none yet, and why the embedder gave none, without its token. */
  readonly state: { readonly pieces: number; readonly waiting: number; readonly error: string | null };
}

/** Texts of one request, if the embedder gives so many vectors in time. */
const MOST_OF_BATCH = 32;
/** A piece has at most 6,000 characters of code, and its path. */
const MOST_CHARACTERS = 7_000;
/** More pieces get no vector. */
const MOST_VECTORS = 20_000;
/** So many of the nearest count. */
const NEAREST = 20;
const CONNECT_MS = 3_000;
const LONGEST_MS = 5_000;
/** A shorter time is not worth a request. */
const SHORTEST_MS = 200;

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
  const ask = (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    // A time limit is a whole number.
    const left = Math.floor(Math.min(until - performance.now(), LONGEST_MS));
    if (left < SHORTEST_MS) throw new EmbedderFailedError('unavailable', 'The time of the call was over.');
    return askEmbedder(agent, embedder, texts, left);
  };
  try {
    const kept = await readVectors(folder, madeBy);
    const { vectors } = kept;
    const known = vectors.size;
    const giving = new Giving(vectors, ask, kept.batch ?? MOST_OF_BATCH);
    let error: string | null = null;
    let asked: Float32Array | undefined;
    try {
      [asked] = await ask([maskSecretText(query)]);
      await giving.give(pieces.slice(0, MOST_VECTORS), until, asked?.length ?? 0);
    } catch (problem) {
      if (!(problem instanceof EmbedderFailedError)) throw problem;
      error = problem.message;
    }
    const { batch } = giving;
    if (vectors.size > known || batch !== (kept.batch ?? MOST_OF_BATCH))
      await writeVectors(folder, madeBy, { vectors: bounded(vectors, pieces), batch });
    const there = pieces.filter(({ key }) => vectors.has(key)).length;
    return {
      nearest: asked === undefined || there === 0 ? null : nearestOf(asked, pieces, vectors),
      state: { pieces: there, waiting: Math.min(pieces.length, MOST_VECTORS) - there, error },
    };
  } finally {
    void agent.destroy();
  }
}

/** Gives pieces their vectors, by as many texts a request as the embedder answers in time. */
class Giving {
  /** @param batch texts of the next request. */
  constructor(
    private readonly vectors: PieceVectors,
    private readonly ask: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
    public batch: number,
  ) {}

  /** @param until a time of the process's monotonic clock, after which no request begins. @param dimensions of a vector. */
  async give(pieces: readonly VectorPiece[], until: number, dimensions: number): Promise<void> {
    let missing = pieces.filter(({ key }) => !this.vectors.has(key));
    while (missing.length > 0 && performance.now() < until - SHORTEST_MS) {
      const next = missing.slice(0, this.batch);
      const said: Said[] = [];
      for (const piece of next) {
        const text = (await piece.text())?.slice(0, MOST_CHARACTERS).trim() ?? '';
        if (text !== '') said.push({ key: piece.key, text: maskSecretText(text) });
      }
      if (said.length === 0 || (await this.#inTime(said, dimensions, until))) missing = missing.slice(next.length);
    }
  }

  /** @returns false if the answer came too late, and fewer texts may have one. */
  async #inTime(said: readonly Said[], dimensions: number, until: number): Promise<boolean> {
    const startedAt = performance.now();
    const deadlineMs = Math.min(until - startedAt, LONGEST_MS);
    const resize = (tookMs: number | null): void => {
      this.batch = nextBatchSize(this.batch, { texts: said.length, tookMs, deadlineMs }, MOST_OF_BATCH);
    };
    try {
      await this.#giveBatch(said, dimensions);
      resize(performance.now() - startedAt);
      return true;
    } catch (problem) {
      if (!(problem instanceof EmbedderFailedError) || problem.failure !== 'late') throw problem;
      resize(null);
      if (said.length === 1 || performance.now() >= until - SHORTEST_MS) throw problem;
      return false;
    }
  }

  /** A text that the embedder rejects gets a vector without a direction: it is near to nothing, and not asked about again. */
  async #giveBatch(batch: readonly Said[], dimensions: number): Promise<void> {
    try {
      const given = await this.ask(batch.map(({ text }) => text));
      for (const [index, vector] of given.entries()) this.vectors.set(batch[index]?.key ?? '', shortVector(vector));
    } catch (problem) {
      if (!(problem instanceof EmbedderFailedError) || problem.failure !== 'rejected') throw problem;
      const [only] = batch;
      if (batch.length > 1) for (const one of batch) await this.#giveBatch([one], dimensions);
      else if (only !== undefined) this.vectors.set(only.key, new Int8Array(dimensions));
    }
  }
}

interface Said {
  readonly key: string;
  readonly text: string;
}

/** Vectors of the pieces of this call stay, and others as long as there is room. */
function bounded(vectors: PieceVectors, pieces: readonly VectorPiece[]): PieceVectors {
  const now = new Set(pieces.map(({ key }) => key));
  return new Map(
    [...vectors].sort(([one], [other]) => Number(now.has(other)) - Number(now.has(one))).slice(0, MOST_VECTORS),
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
