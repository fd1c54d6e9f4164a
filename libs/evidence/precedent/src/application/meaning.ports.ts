import type { TenantId, Tx } from '#lib/kernel';
import type { RankedPrecedent } from '../domain/fuse-rankings.js';
import type { SearchingAgent } from './precedent.ports.js';

/** The meaning of a question, as the embedder of the tenant gives it. */
export interface Meaning {
  /** Vectors of other generations are not comparable. */
  readonly generation: number;
  /** Of length 1. */
  readonly vector: Float32Array;
  /** The cosine from which on another vector is similar. */
  readonly least: number;
}

/** Gives a question its meaning, within a bounded time. */
export interface Meanings {
  /** @returns null if the tenant has no embedder, or it does not answer in time. */
  execute(tenantId: TenantId, question: string): Promise<Meaning | null>;
}

/** Precedents by the meaning of their goals. */
export interface PrecedentMeanings {
  /** The ranks of precedents of similar meaning, from 1. An agent finds its own alone: a goal is somebody's words. */
  alike(tx: Tx, meaning: Meaning, except: string | null, by: SearchingAgent): Promise<readonly RankedPrecedent[]>;
}
