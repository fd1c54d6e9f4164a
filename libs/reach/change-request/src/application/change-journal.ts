import type { JsonObject } from '#lib/canonical';
import { type Actor, type AuditSink, type EvidenceRef, type Outbox, type Tx } from '#lib/kernel';
import type { ChangeRequest, ClosedChange, OpenChange } from '../domain/change-request.js';
import { carriedChange } from './carried-change.js';
import type { ChangeRequestRepository } from './change-request.ports.js';

/** Is told of changes in the transaction that opens or closes them. */
export interface ChangeListener {
  opened(tx: Tx, change: OpenChange): Promise<void>;
  closed(tx: Tx, change: ClosedChange): Promise<void>;
}

/** Keeps changes with their audit entries and notices, in one transaction. */
export class ChangeJournal {
  constructor(
    private readonly changes: ChangeRequestRepository,
    private readonly audit: AuditSink,
    private readonly outbox: Outbox,
    private readonly listener: ChangeListener,
  ) {}

  /** @param seat the author's seat: the ways they are known, and the people who share their vote. */
  async open(tx: Tx, change: OpenChange, actor: Actor, seat: JsonObject): Promise<void> {
    await this.changes.insert(tx, change);
    await this.audit.record(tx, {
      action: 'change.requested',
      actor,
      level: 'full_with_evidence',
      subject: { type: 'change_request', id: change.id },
      evidence: [changeEvidence(change)],
      payload: {
        ...factsOf(change),
        required_role: change.requiredRole,
        beneficiary_id: change.beneficiaryId,
        change: change.payload,
        detail: change.detail,
        expires_at: change.expiresAt,
        seat,
        reason: change.why,
      },
      digests: { change_digest: change.changeDigest, base_digest: change.baseDigest },
    });
    await this.outbox.write(tx, { topic: 'change_request.changed', payload: { change_id: change.id } });
    await this.listener.opened(tx, change);
  }

  /**
   * @param standing the roles of the person who closed the change, and the seats of everybody in it.
   * @param signed the signature of that person's passkey.
   */
  async close(
    tx: Tx,
    change: ClosedChange,
    actor: Actor,
    { roles, seats }: { readonly roles: readonly string[]; readonly seats: JsonObject } = { roles: [], seats: {} },
    signed: readonly EvidenceRef[] = [],
  ): Promise<void> {
    await this.changes.close(tx, change);
    await this.audit.record(tx, {
      action: `change.${change.state === 'applied' ? 'confirmed' : change.state}`,
      actor,
      level: change.state === 'applied' ? 'full_with_evidence' : 'full',
      subject: { type: 'change_request', id: change.id },
      // Each entry of a change that is being carried out names the change as evidence already.
      evidence: [...(carriedChange(tx)?.id === change.id ? [] : [changeEvidence(change)]), ...signed],
      payload: {
        ...factsOf(change),
        roles: [...roles],
        seats,
        reason: 'reason' in change ? change.reason : null,
        mfa: change.state === 'applied' ? { method: change.mfa.method, proved_at: change.mfa.provedAt } : null,
      },
      digests: { change_digest: change.changeDigest, base_digest: change.baseDigest },
    });
    await this.outbox.write(tx, { topic: 'change_request.changed', payload: { change_id: change.id } });
    await this.listener.closed(tx, change);
  }
}

/** The document that the entries of a change fix. */
export const changeEvidence = ({ id, changeDigest }: ChangeRequest): EvidenceRef => ({
  kind: 'change-request',
  id,
  digest: changeDigest,
});

const factsOf = (change: ChangeRequest) => ({
  kind: change.kind,
  subject: { ...change.subject },
  what: change.what,
  loosens: [...change.loosens],
  requested_by: change.requestedBy,
});
