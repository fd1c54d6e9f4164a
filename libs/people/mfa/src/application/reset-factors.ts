import { z } from 'zod';
import { storedId } from '#lib/formats';
import { addressed, shownName } from '#lib/identity';
import {
  actingPerson,
  actorOf,
  done,
  err,
  notFound,
  ok,
  type CarriesOutChange,
  type ConfirmedChange,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { NO_FAILURES } from '../domain/lockout.js';
import { ownReset } from '../domain/refusals.js';
import { resetBase, type FactorJournal } from './factor-journal.js';
import type {
  FactorHolders,
  FactorRepository,
  LockoutRepository,
  RecoveryCodeRepository,
  StepUpRepository,
} from './mfa.ports.js';

interface ResetFactorsDeps {
  readonly uow: UnitOfWork;
  readonly holders: FactorHolders;
  readonly factors: FactorRepository;
  readonly lockouts: LockoutRepository;
  readonly codes: RecoveryCodeRepository;
  readonly stepUps: StepUpRepository;
  readonly twoPersonRule: TwoPersonRule;
  readonly journal: FactorJournal;
}

/**
 * An admin takes every factor of somebody else away who lost them, so that they can enrol again. It loosens: until then
 * the person's credential alone may enrol a first factor. So it waits for a second person.
 *
 * Failures: `mfa.reset_own`, `resource.not_found`.
 */
export class ResetFactors implements CarriesOutChange<WantedReset> {
  readonly payload = wantedReset;

  constructor(private readonly deps: ResetFactorsDeps) {}

  /** @returns how many were removed. */
  execute(by: PersonPrincipal, personId: PersonId, reason: string): Promise<Result<Guarded<number>>> {
    return this.deps.uow.run(by.tenantId, (tx) => this.#reset(tx, by, { person_id: personId, reason }));
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedReset): Promise<Result<Guarded<number>>> {
    return this.#reset(tx, change, wanted);
  }

  async #reset(tx: Tx, authority: ChangeAuthority, wanted: WantedReset): Promise<Result<Guarded<number>>> {
    const { person_id: personId, reason } = wanted;
    const by = actingPerson(authority);
    const person = await this.deps.holders.find(tx, personId);
    if (person === null) return err(notFound('person'));
    if (personId === by.personId) return err(ownReset);
    await this.deps.lockouts.lock(tx, personId);
    const factors = await this.deps.factors.list(tx, personId);
    const admission = await this.deps.twoPersonRule.admit(tx, authority, {
      kind: 'factor_reset',
      subject: { type: 'person', id: personId },
      what: `Every second factor of ${addressed(person)} is taken away`,
      payload: { ...wanted },
      base: resetBase(factors),
      loosens: [`anybody with a credential of ${shownName(person)} can enrol a second factor without proving one`],
      detail: { factors: factors.map(({ kind, name }) => ({ kind, name })), reason },
      reason,
      beneficiary: personId,
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const now = await tx.now();
    for (const factor of factors) {
      await this.deps.factors.remove(tx, factor.id, now);
      await this.deps.journal.factor(tx, 'factor.removed', actorOf(by), factor, { why: 'reset' }, admitted.provenance);
    }
    await this.deps.codes.replace(tx, personId, [], now);
    await this.deps.stepUps.expireProofs(tx, personId, now);
    await this.deps.lockouts.save(tx, personId, NO_FAILURES);
    const removed = factors.length;
    await this.deps.journal.person(tx, 'factors.reset', by, personId, { reason, removed, ...admitted.provenance });
    return ok(done(removed, admitted));
  }
}

const wantedReset = z.strictObject({ person_id: storedId<PersonId>(), reason: z.string() });
type WantedReset = z.infer<typeof wantedReset>;
