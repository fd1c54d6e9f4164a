import type { DecisionId, EvidenceRef, Tx } from '#lib/kernel';

const taken = new WeakMap<Tx, Map<DecisionId, EvidenceRef>>();

/**
 * Notes a decision for the writer of audit entries in this transaction. The entry that names the decision then also
 * fixes it by its digest (ADR 19). The note ends with the transaction.
 */
export function noteDecision(tx: Tx, id: DecisionId, digest: EvidenceRef['digest']): void {
  const notes = taken.get(tx) ?? new Map<DecisionId, EvidenceRef>();
  notes.set(id, { kind: 'decision', id, digest });
  taken.set(tx, notes);
}

/** The decision as evidence, if it was taken in this very transaction. */
export function decisionEvidence(tx: Tx, id: DecisionId): EvidenceRef | undefined {
  return taken.get(tx)?.get(id);
}
