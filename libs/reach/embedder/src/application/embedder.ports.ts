import type { EmbedderAddress } from '#lib/embedding';
import type { EmbedderId, TenantId, Tx } from '#lib/kernel';
import type { Embedder, EmbedderSettings } from '../domain/embedder.js';

/** The embedder of the transaction's tenant, with its bearer token, encrypted. */
export interface EmbedderStore {
  find(tx: Tx): Promise<Embedder | null>;
  /** Until the transaction ends no other one changes the embedder of the tenant. */
  lockForChange(tx: Tx): Promise<void>;
  /** Inserts it, or writes its settings. At another address it has no token; a new generation has no measure and no failure. */
  save(
    tx: Tx,
    embedder: EmbedderSettings & Pick<Embedder, 'id' | 'generation' | 'createdBy' | 'createdAt'>,
  ): Promise<void>;
  remove(tx: Tx): Promise<void>;
  /** @param token null removes it. */
  saveToken(tx: Tx, id: EmbedderId, token: string | null): Promise<void>;
  token(tx: Tx, id: EmbedderId): Promise<string | null>;
  /** Keeps the measure of a generation. Nothing if it has another one meanwhile. */
  saveLeast(tx: Tx, embedder: Pick<Embedder, 'id' | 'generation'>, least: number): Promise<void>;
  /**
   * Takes an embedder that is due, so that no other worker works for it within the time.
   *
   * @returns null if it is not due, or is gone.
   */
  claim(tx: Tx, id: EmbedderId, forMs: number): Promise<Embedder | null>;
  /** Ends the work for it until later. */
  rest(tx: Tx, id: EmbedderId, forMs: number): Promise<void>;
  /** The failures of workers since the last vector, with this one. */
  countFailure(tx: Tx, id: EmbedderId): Promise<number>;
  /** A worker looks for texts without a vector now, also if it waits after failures. */
  lookNow(tx: Tx, id: EmbedderId): Promise<void>;
  /** Notes that it gave vectors, or the reason why it did not. Nothing if it has another generation meanwhile. */
  note(tx: Tx, embedder: Pick<Embedder, 'id' | 'generation'>, error: string | null): Promise<void>;
}

/** One request to an embedder. */
export interface EmbedderRequest extends EmbedderAddress {
  readonly ca: string | null;
  readonly texts: readonly string[];
  readonly deadlineMs: number;
}

/** Asks over HTTPS at addresses that the operator's rules admit (T31). No redirect is followed. */
export interface EmbedderClient {
  /**
   * @returns a vector of length 1 for each text, in their order.
   * @throws EmbedderFailedError
   */
  ask(tenantId: TenantId, request: EmbedderRequest): Promise<readonly Float32Array[]>;
}

/** Decides whether Countersign may connect to an address, by its spelling. */
export type MayConnect = (tenantId: TenantId, url: URL) => Promise<'allowed' | 'public' | 'refused'>;

/** A text that has no vector yet. */
export interface WantedText {
  readonly id: string;
  readonly text: string;
}

/** The texts of a tenant that get vectors. Their keeper is another library. */
export interface VectorsWanted {
  /** Texts that have no vector of this generation, the newest first. */
  without(tx: Tx, generation: number, most: number): Promise<readonly WantedText[]>;
  /** How many texts have no vector of this generation. */
  countWithout(tx: Tx, generation: number): Promise<number>;
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
