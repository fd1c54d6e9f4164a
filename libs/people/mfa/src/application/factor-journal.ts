import type { JsonObject } from '#lib/canonical';
import {
  actorOf,
  type Actor,
  type AuditSink,
  type AdmittedChange,
  type TwoPersonRule,
  type PersonId,
  type PersonPrincipal,
  type Tx,
} from '#lib/kernel';
import { isPasskey, type Factor } from '../domain/factor.js';
import { enrolmentEvidence } from '../domain/passkey-enrolment.js';
import type { FactorRepository } from './mfa.ports.js';

/** Actions of the audit log about factors and step-ups. */
export type FactorAction =
  | 'factor.enrolled'
  | 'factor.confirmed'
  | 'factor.removed'
  | 'factor.counter_went_back'
  | 'recovery_codes.issued';

/** The base of a reset: the factors that it takes away. */
export const resetBase = (factors: readonly Factor[]): string[] => factors.map(({ id }) => id).sort();

/** Writes audit entries about factors: kinds, names and times, never a secret or a code. The enrolment of a passkey fixes its public key. */
export class FactorJournal {
  constructor(
    private readonly audit: AuditSink,
    private readonly factors: Pick<FactorRepository, 'list'>,
    private readonly twoPersonRule: Pick<TwoPersonRule, 'outdate'>,
  ) {}

  /** @param provenance of the change that is carried out; without it, a reset that waits on other factors is void. */
  async factor(
    tx: Tx,
    action: FactorAction,
    actor: Actor,
    factor: Factor,
    more: JsonObject = {},
    provenance: AdmittedChange['provenance'] = {},
  ): Promise<void> {
    const { personId } = factor;
    await this.audit.record(tx, {
      action,
      actor,
      level: 'full',
      subject: { type: 'factor', id: factor.id },
      evidence: action === 'factor.enrolled' && isPasskey(factor) ? enrolmentEvidence(factor) : [],
      payload: { person_id: personId, kind: factor.kind, name: factor.name, ...more },
    });
    const base = resetBase(await this.factors.list(tx, personId));
    const why = 'The second factors of this person changed meanwhile.';
    const moved = { kind: 'factor_reset', subjectId: personId, why, base: () => base } as const;
    await this.twoPersonRule.outdate(tx, { actor, provenance }, moved);
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
