import type { JsonObject } from '#lib/canonical';
import { actorOf, type AuditSink, type PersonId, type PersonPrincipal, type Tx } from '#lib/kernel';
import { isPasskey, type Factor } from '../domain/factor.js';
import { enrolmentEvidence } from '../domain/passkey-enrolment.js';

/** In the audit log, what happened to factors and step-ups. */
export type FactorAction =
  'factor.enrolled' | 'factor.confirmed' | 'factor.removed' | 'factor.counter_went_back' | 'recovery_codes.issued';

/** Writes audit entries about factors: kinds, names and times, never a secret or a code. The enrolment of a passkey fixes its public key. */
export class FactorJournal {
  constructor(private readonly audit: AuditSink) {}

  factor(tx: Tx, action: FactorAction, by: PersonPrincipal, factor: Factor, more: JsonObject = {}): Promise<void> {
    return this.audit.record(tx, {
      action,
      actor: actorOf(by),
      level: 'full',
      subject: { type: 'factor', id: factor.id },
      evidence: action === 'factor.enrolled' && isPasskey(factor) ? enrolmentEvidence(factor) : [],
      payload: { person_id: factor.personId, kind: factor.kind, name: factor.name, ...more },
    });
  }

  person(
    tx: Tx,
    action: 'factor.locked' | 'factor.code_refused' | 'recovery_codes.issued' | 'factors.reset',
    by: PersonPrincipal,
    personId: PersonId,
    payload: JsonObject,
  ): Promise<void> {
    return this.audit.record(tx, {
      action,
      actor: actorOf(by),
      level: 'full',
      subject: { type: 'person', id: personId },
      payload,
    });
  }
}
