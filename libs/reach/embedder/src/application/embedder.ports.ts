import type { ConnectionWork, Generation } from '#lib/connection';
import type { EmbedderAddress } from '#lib/embedding';
import type { ConnectionId, TenantId, Tx } from '#lib/kernel';

/** An embedder, as the work for it knows it. */
export interface KnownEmbedder extends Generation {
  /** The cosine from which on two vectors count as similar; null until it was measured. */
  readonly least: number | null;
  /** When a worker looks for texts without a vector again, in epoch milliseconds. */
  readonly nextAt: number;
  /** How many texts a request holds, at most {@link MAX_BATCH_SIZE}. */
  readonly batch: number;
  /** Whether its last answer to any process was a failure. */
  readonly isFailing: boolean;
}

/** Texts of one request, if the embedder gives so many vectors in time. */
export const MAX_BATCH_SIZE = 16;

/** A turn of a worker: the embedder, until the end of its claim. */
export type Turn = Pick<KnownEmbedder, 'id' | 'nextAt'>;

/** The work for the embedder of the transaction's tenant: texts get vectors. */
export interface EmbedderWork extends ConnectionWork {
  known(tx: Tx): Promise<KnownEmbedder | null>;
  /** Keeps the measure of a generation. Nothing if it has another one meanwhile. */
  saveLeast(tx: Tx, of: Generation, least: number): Promise<void>;
  /** Keeps the number of texts of a request, for the next turns. Nothing if it has another generation meanwhile. */
  saveBatch(tx: Tx, of: Generation, batch: number): Promise<void>;
  /**
   * Takes an embedder that is due, so that no other worker works for it within the time.
   *
   * @returns with the end of the claim as its next time; null if it is not due, or is gone.
   */
  claim(tx: Tx, id: ConnectionId, forMs: number): Promise<KnownEmbedder | null>;
  /**
   * Ends a turn until later. Nothing if work was begun or retried meanwhile. A wait of the former server or token must
   * not hold it up.
   */
  rest(tx: Tx, turn: Turn, forMs: number): Promise<void>;
  /** Ends a failed turn, as {@link rest} does. @param waitOf milliseconds by the failed turns in a row, with this one. */
  restAfterFailure(tx: Tx, turn: Turn, waitOf: (failures: number) => number): Promise<void>;
}

/** One request to an embedder. */
export interface EmbedderRequest extends EmbedderAddress {
  readonly ca: string | null;
  readonly texts: readonly string[];
  readonly deadlineMs: number;
}

/** Asks over HTTPS at addresses that the operator's rules allow (T31). No redirect is followed. */
export interface EmbedderClient {
  /**
   * @returns a vector of length 1 for each text, in their order.
   * @throws EmbedderFailedError
   */
  ask(tenantId: TenantId, request: EmbedderRequest): Promise<readonly Float32Array[]>;
}

/** A text that has no vector yet. */
export interface WantedText {
  readonly id: string;
  readonly text: string;
}

/** The texts of a tenant that get vectors. Their keeper is another library. */
export interface VectorsWanted {
  /** Texts that have no vector of this generation, the newest first. */
  without(tx: Tx, generation: number, most: number): Promise<readonly WantedText[]>;
  /** How many texts have no vector of this generation, counted up to `most`. */
  countWithout(tx: Tx, generation: number, most: number): Promise<number>;
  /**
   * Keeps the vectors of texts that are still the same.
   *
   * @param vectors one for each text, each of length 1; null for a text that the embedder rejects.
   */
  keep(
    tx: Tx,
    generation: number,
    texts: readonly WantedText[],
    vectors: readonly (Float32Array | null)[],
  ): Promise<void>;
}
