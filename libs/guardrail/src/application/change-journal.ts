import type { Actor, AuditSink, Outbox, Tx } from '#lib/kernel';
import type { ChangeRequest, ClosedChange, OpenChange } from '../domain/change-request.js';
import type { ChangeRequestRepository } from './guardrail.ports.js';

/** Keeps changes with their audit entries and what is told of them, in one transaction. */
export class ChangeJournal {
  constructor(
    private readonly changes: ChangeRequestRepository,
    private readonly audit: AuditSink,
    private readonly outbox: Outbox,
  ) {}

  async open(tx: Tx, change: OpenChange, actor: Actor): Promise<void> {
    await this.changes.insert(tx, change);
    await this.audit.record(tx, {
      action: 'change.requested',
      actor,
      level: 'full_with_evidence',
      subject: { type: 'change_request', id: change.id },
      payload: { ...factsOf(change), change: change.payload, detail: change.detail, expires_at: change.expiresAt },
      digests: { change_digest: change.changeDigest, base_digest: change.baseDigest },
    });
    await this.outbox.write(tx, { topic: 'change_request.changed', payload: { change_id: change.id } });
  }

  async close(tx: Tx, change: ClosedChange, actor: Actor): Promise<void> {
    await this.changes.close(tx, change);
    await this.audit.record(tx, {
      action: `change.${change.state === 'applied' ? 'confirmed' : change.state}`,
      actor,
      level: change.state === 'applied' ? 'full_with_evidence' : 'full',
      subject: { type: 'change_request', id: change.id },
      payload: {
        ...factsOf(change),
        reason: 'reason' in change ? change.reason : null,
        mfa: change.state === 'applied' ? { method: change.mfa.method, proved_at: change.mfa.provedAt } : null,
      },
      digests: { change_digest: change.changeDigest, base_digest: change.baseDigest },
    });
    await this.outbox.write(tx, { topic: 'change_request.changed', payload: { change_id: change.id } });
  }
}

const factsOf = (change: ChangeRequest) => ({
  kind: change.kind,
  subject: { ...change.subject },
  what: change.what,
  loosens: [...change.loosens],
  requested_by: change.requestedBy,
});
