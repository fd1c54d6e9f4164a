import { EmbedderFailedError, nextBatchSize } from '#lib/embedding';
import { maskSecretText } from '#lib/kernel';
import { shortVector } from '../domain/short-vector.js';
import type { PieceVectors } from './kept-vectors.js';

/** A piece that a search may find, with the key of its vector. */
export interface VectorPiece {
  readonly id: number;
  readonly key: string;
  /** Its lines, with its path; null if its file changed meanwhile. */
  readonly text: () => Promise<string | null>;
}

/** An embedder, and the time that a call has for it. */
export interface EmbedderTime {
  /** @param waitMs how long the answer is awaited. @throws EmbedderFailedError */
  readonly ask: (texts: readonly string[], waitMs: number) => Promise<readonly Float32Array[]>;
  readonly now: () => number;
  /** A time of `now`, after which no request begins. */
  readonly until: number;
}

/** Texts of one request, if the embedder gives so many vectors in time. */
export const MAX_BATCH_SIZE = 32;
/** A piece has at most 6,000 characters of code, and its path. */
const MAX_CHARACTERS = 7_000;
const MAX_MS = 5_000;
/** A shorter time is not worth a request. */
const MIN_MS = 200;

/** Gives a question and pieces their vectors, by as many texts a request as the embedder answers in time. */
export class EmbedPieces {
  #question = '';
  #isFirst = true;
  /** How long the last answer was awaited at most; null if the end of the call cut that short. */
  #waitedMs: number | null = null;

  /** @param batch texts of the next request. @param late the key of the piece that was late alone the last time. */
  constructor(
    private readonly vectors: PieceVectors,
    private readonly embedder: EmbedderTime,
    public batch: number,
    public late: string | null,
  ) {}

  async question(text: string): Promise<Float32Array | undefined> {
    this.#question = text;
    const [vector] = await this.embedder.ask([text], this.#waitMs());
    return vector;
  }

  /** @param dimensions of a vector. @throws EmbedderFailedError */
  async give(pieces: readonly VectorPiece[], dimensions: number): Promise<void> {
    let missing = pieces.filter(({ key }) => !this.vectors.has(key));
    let late: EmbedderFailedError | null = null;
    while (missing.length > 0 && this.embedder.now() < this.embedder.until - MIN_MS) {
      const next = missing.slice(0, this.batch);
      const said: Said[] = [];
      for (const piece of next) {
        const text = (await piece.text())?.slice(0, MAX_CHARACTERS).trim() ?? '';
        if (text !== '') said.push({ key: piece.key, text: maskSecretText(text) });
      }
      late = said.length === 0 ? null : await this.#giveBatch(said, dimensions);
      if (late === null) missing = missing.slice(next.length);
    }
    if (late !== null) throw late;
  }

  /**
   * A text that the embedder rejects, or works on for too long, gets a vector without a direction. It is near to
   * nothing, and not asked about again. Otherwise the pieces behind it would wait for ever.
   *
   * @returns the failure if the answer came too late, and fewer texts may have one.
   */
  async #giveBatch(batch: readonly Said[], dimensions: number): Promise<EmbedderFailedError | null> {
    const [only] = batch;
    const isAlone = batch.length === 1 && only !== undefined;
    try {
      const given = await this.#request(batch.map(({ text }) => text));
      for (const [index, vector] of given.entries()) this.vectors.set(batch[index]?.key ?? '', shortVector(vector));
      return null;
    } catch (problem) {
      if (!(problem instanceof EmbedderFailedError)) throw problem;
      if (problem.failure === 'late') {
        if (!isAlone || this.#waitedMs === null) return problem;
        // Is it this text, or every text? If it was late in an earlier call, the question of this one was answered since.
        if (this.late !== only.key) {
          this.late = only.key;
          if (this.#waitedMs < MAX_MS) return problem;
          // It throws if the embedder answers no more, or no time is left.
          await this.question(this.#question);
        }
      } else if (problem.failure !== 'rejected') throw problem;
    }
    if (isAlone) this.vectors.set(only.key, new Int8Array(dimensions));
    else
      for (const one of batch) {
        const late = await this.#giveBatch([one], dimensions);
        if (late !== null) return late;
      }
    return null;
  }

  /** The end of a call cuts short how long an answer is awaited. Only the first request has all that there is. */
  async #request(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const deadlineMs = this.#waitMs();
    const isCut = deadlineMs < MAX_MS && !this.#isFirst;
    this.#waitedMs = isCut ? null : deadlineMs;
    this.#isFirst = false;
    const startedAt = this.embedder.now();
    const resize = (tookMs: number | null): void => {
      this.batch = nextBatchSize(this.batch, { texts: texts.length, tookMs, deadlineMs }, MAX_BATCH_SIZE);
    };
    try {
      const given = await this.embedder.ask(texts, deadlineMs);
      resize(this.embedder.now() - startedAt);
      return given;
    } catch (problem) {
      // An answer that a shorter time cut off says nothing about the number of texts.
      if (problem instanceof EmbedderFailedError && problem.failure === 'late' && !isCut) resize(null);
      throw problem;
    }
  }

  /** @throws EmbedderFailedError if no time is left. */
  #waitMs(): number {
    // A time limit is a whole number.
    const left = Math.floor(Math.min(this.embedder.until - this.embedder.now(), MAX_MS));
    if (left < MIN_MS) throw new EmbedderFailedError('unavailable', 'The time of the call was over.');
    return left;
  }
}

interface Said {
  readonly key: string;
  readonly text: string;
}
