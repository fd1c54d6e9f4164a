import type { EvidenceRef, Tx } from '#lib/kernel';

const carried = new WeakMap<Tx, EvidenceRef>();

/**
 * Notes, for the writer of audit entries in this transaction, that it carries out a confirmed change. Each entry then fixes
 * the change by its digest, and the evidence of the change finds those entries (ADR 19). The note ends with the transaction.
 */
export function noteCarriedChange(tx: Tx, change: EvidenceRef): void {
  carried.set(tx, change);
}

/** The change that this transaction carries out. */
export const carriedChange = (tx: Tx): EvidenceRef | undefined => carried.get(tx);
