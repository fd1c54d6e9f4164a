import {
  err,
  notFound,
  ok,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { NO_FAILURES } from '../domain/lockout.js';
import { ownReset } from '../domain/refusals.js';
import type { FactorJournal } from './factor-journal.js';
import type {
  FactorHolders,
  FactorRepository,
  LockoutRepository,
  RecoveryCodeRepository,
  StepUpRepository,
} from './mfa.ports.js';

/**
 * An admin takes every factor of somebody else away who lost them, so that they can enrol again. It loosens: until then
 * the person's credential alone may enrol a first factor.
 *
 * Failures: `mfa.reset_own`, `resource.not_found`.
 */
export class ResetFactors {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly holders: FactorHolders,
    private readonly factors: FactorRepository,
    private readonly lockouts: LockoutRepository,
    private readonly codes: RecoveryCodeRepository,
    private readonly stepUps: StepUpRepository,
    private readonly journal: FactorJournal,
  ) {}

  execute(by: PersonPrincipal, personId: PersonId, reason: string): Promise<Result<number>> {
    return this.uow.run(by.tenantId, (tx) => this.within(tx, by, personId, reason));
  }

  /** The same in the transaction of whoever confirmed it. @returns how many were removed. */
  async within(tx: Tx, by: PersonPrincipal, personId: PersonId, reason: string): Promise<Result<number>> {
    if ((await this.holders.find(tx, personId)) === null) return err(notFound('person'));
    if (personId === by.personId) return err(ownReset);
    await this.lockouts.lock(tx, personId);
    const factors = await this.factors.list(tx, personId);
    const now = await tx.now();
    for (const factor of factors) {
      await this.factors.remove(tx, factor.id, now);
      await this.journal.factor(tx, 'factor.removed', by, factor, { why: 'reset' });
    }
    await this.codes.replace(tx, personId, [], now);
    await this.stepUps.expireProofs(tx, personId, now);
    await this.lockouts.save(tx, personId, NO_FAILURES);
    await this.journal.person(tx, 'factors.reset', by, personId, { reason, removed: factors.length });
    return ok(factors.length);
  }
}
