import { notEnrolled } from '#lib/identity';
import {
  actorOf,
  err,
  notFound,
  ok,
  type FactorId,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { isActive, type Factor } from '../domain/factor.js';
import type { GuardFactorChange } from './guard-factor-change.js';
import type { FactorJournal } from './factor-journal.js';
import type { FactorRepository, LockoutRepository, RecoveryCodeRepository, StepUpRepository } from './mfa.ports.js';
import type { RecoveryCodeIssuer } from './recovery-code-issuer.js';

/** A person's factors, and how many recovery codes are left. */
export interface FactorsOverview {
  readonly factors: readonly Factor[];
  readonly recoveryCodesLeft: number;
}

/** Reads, removes and renews a person's factors, for that person. */
export class KeepFactors {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly factors: FactorRepository,
    private readonly lockouts: LockoutRepository,
    private readonly codes: RecoveryCodeRepository,
    private readonly stepUps: StepUpRepository,
    private readonly parts: {
      readonly guard: GuardFactorChange;
      readonly recovery: RecoveryCodeIssuer;
      readonly journal: FactorJournal;
    },
  ) {}

  list(by: PersonPrincipal): Promise<FactorsOverview> {
    return this.uow.run(by.tenantId, async (tx) => ({
      factors: await this.factors.list(tx, by.personId),
      recoveryCodesLeft: (await this.codes.unused(tx, by.personId)).length,
    }));
  }

  /**
   * Removes a factor; with the last one the recovery codes go too. One that was never confirmed needs no proof.
   *
   * Failures: `resource.not_found`, and those of {@link GuardFactorChange}.
   */
  remove(by: PersonPrincipal, id: FactorId, stepUpId: string | undefined): Promise<Result<void>> {
    const { guard, journal } = this.parts;
    return this.uow.run(by.tenantId, async (tx) => {
      await this.lockouts.lock(tx, by.personId);
      const factors = await this.factors.list(tx, by.personId);
      const factor = factors.find((one) => one.id === id);
      if (factor === undefined) return err(notFound('factor'));
      if (isActive(factor)) {
        const operation = { kind: 'factor_removal', factor_id: id } as const;
        const checked = await guard.check(tx, by, { factors, operation, stepUpId });
        if (!checked.ok) return checked;
      }
      const now = await tx.now();
      await this.factors.remove(tx, id, now);
      if (factors.filter(isActive).every((one) => one.id === id)) await this.codes.replace(tx, by.personId, [], now);
      await this.stepUps.expireProofs(tx, by.personId, now);
      await journal.factor(tx, 'factor.removed', actorOf(by), factor);
      return ok(undefined);
    });
  }

  /** New recovery codes in place of the old ones. Failures: `mfa.not_enrolled`, and those of {@link GuardFactorChange}. */
  renewRecoveryCodes(by: PersonPrincipal, stepUpId: string | undefined): Promise<Result<readonly string[]>> {
    const { guard, recovery, journal } = this.parts;
    return this.uow.run(by.tenantId, async (tx) => {
      await this.lockouts.lock(tx, by.personId);
      const factors = await this.factors.list(tx, by.personId);
      if (!factors.some(isActive)) return err(notEnrolled('This'));
      const operation = { kind: 'factor_change', change: 'renew_recovery_codes' } as const;
      const checked = await guard.check(tx, by, { factors, operation, stepUpId });
      if (!checked.ok) return checked;
      const shown = await recovery.issue(tx, by.personId, await tx.now());
      await journal.person(tx, 'recovery_codes.issued', by, by.personId, { count: shown.length });
      return ok(shown);
    });
  }
}
