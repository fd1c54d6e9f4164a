import { canonicalJson, countValues, type Json } from '#lib/canonical';
import { MAX_PACK_BYTES, MAX_PACK_VALUES } from '#lib/verifier';

/** The largest pack that a verifier reads (ADR 3). */
export interface PackBounds {
  readonly bytes: number;
  readonly values: number;
}

export const PACK_BOUNDS: PackBounds = { bytes: MAX_PACK_BYTES, values: MAX_PACK_VALUES };

/**
 * The most that a proof takes in a log of 2^32 entries. That of an entry has its place, its salt and the members of the
 * assembly's header that the event lacks. That from a checkpoint has the note.
 */
const PROOF: PackBounds = { bytes: 3_000, values: 48 };

/** A pack whose proofs are not there yet. */
export interface UnprovenPack {
  /** The documents, and the payloads of the entries. */
  readonly contents: readonly Json[];
  /** The bytes of the contents as canonical JSON. */
  readonly contentBytes: number;
  /** The headers of the entries, and the names of the documents. */
  readonly headers: readonly Json[];
  readonly proofs: number;
}

/** Whether a pack may be beyond the bounds once its proofs are there. Values are counted no further than the bound. */
export function mayBeBeyond({ contents, contentBytes, headers, proofs }: UnprovenPack, bounds: PackBounds): boolean {
  const headerBytes = headers.reduce<number>((sum, header) => sum + Buffer.byteLength(canonicalJson(header)), 0);
  if (contentBytes + headerBytes + proofs * PROOF.bytes > bounds.bytes) return true;
  const values = bounds.values - proofs * PROOF.values;
  return countValues([headers, contents], values) > values;
}
