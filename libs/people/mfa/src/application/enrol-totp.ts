import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type FactorId,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { isActive, isTotp, MAX_FACTORS, type TotpFactor } from '../domain/factor.js';
import { nothingPending, tooManyFactors } from '../domain/refusals.js';
import type { GuardFactorChange } from './guard-factor-change.js';
import type { CheckCode } from './check-code.js';
import type { FactorJournal } from './factor-journal.js';
import type {
  FactorHolders,
  FactorRepository,
  FactorSecrets,
  LockoutRepository,
  QrCodes,
  TotpAlgorithm,
} from './mfa.ports.js';
import type { RecoveryCodeIssuer } from './recovery-code-issuer.js';

/** The secret that sets up an authenticator app; shown once. */
export interface TotpOffer {
  readonly id: FactorId;
  readonly secret: string;
  readonly uri: string;
  readonly qrSvg: string;
}

/** A factor that counts from now on. Recovery codes come with a person's first, and are shown once. */
export interface FactorEnrolled<Kind> {
  readonly factor: Kind;
  readonly recoveryCodes: readonly string[] | null;
}

/**
 * Sets an authenticator app up, in two steps. A secret is offered, and counts once a code of it was sent back. It then
 * takes the place of the person's former one.
 *
 * Failures: those of {@link GuardFactorChange}, `mfa.too_many_factors`; on confirming `resource.not_found`,
 * `mfa.already_confirmed`, `mfa.code_wrong`, `mfa.locked`.
 */
export class EnrolTotp {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly holders: FactorHolders,
    private readonly factors: FactorRepository,
    private readonly lockouts: LockoutRepository,
    private readonly parts: {
      readonly totp: TotpAlgorithm;
      readonly secrets: FactorSecrets;
      readonly qr: QrCodes;
      readonly guard: GuardFactorChange;
      readonly check: CheckCode;
      readonly recovery: RecoveryCodeIssuer;
      readonly journal: FactorJournal;
    },
  ) {}

  offer(
    by: PersonPrincipal,
    wanted: { readonly name: string; readonly stepUpId: string | undefined },
  ): Promise<Result<TotpOffer>> {
    const { totp, secrets, qr, guard, journal } = this.parts;
    return this.uow.run(by.tenantId, async (tx) => {
      await this.lockouts.lock(tx, by.personId);
      const holder = await this.holders.find(tx, by.personId);
      if (holder === null) return err(notFound('person'));
      const factors = await this.factors.list(tx, by.personId);
      if (factors.filter(isActive).length >= MAX_FACTORS) return err(tooManyFactors);
      const operation = { kind: 'factor_change', change: 'add_totp' } as const;
      const checked = await guard.check(tx, by, { factors, operation, stepUpId: wanted.stepUpId });
      if (!checked.ok) return checked;
      const now = await tx.now();
      for (const abandoned of factors.filter((factor) => factor.state === 'pending')) {
        await this.factors.remove(tx, abandoned.id, now);
      }
      const id = newId<FactorId>();
      const secret = totp.newSecret();
      const factor: TotpFactor = {
        id,
        kind: 'totp',
        state: 'pending',
        personId: by.personId,
        name: wanted.name,
        secret: await secrets.seal(tx, id, secret),
        lastStep: null,
        createdAt: now,
        confirmedAt: null,
        lastUsedAt: null,
      };
      await this.factors.insert(tx, factor);
      await journal.factor(tx, 'factor.enrolled', actorOf(by), factor);
      const uri = totp.uriOf(secret, holder.email);
      return ok({ id, secret, uri, qrSvg: qr.svg(uri) });
    });
  }

  confirm(by: PersonPrincipal, id: FactorId, code: string): Promise<Result<FactorEnrolled<TotpFactor>>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const lockout = await this.lockouts.lock(tx, by.personId);
      const factors = await this.factors.list(tx, by.personId);
      const offered = factors.filter(isTotp).find((factor) => factor.id === id);
      if (offered === undefined) return err(notFound('factor'));
      if (offered.state !== 'pending') return err(nothingPending);
      const now = await tx.now();
      const checked = await this.parts.check.ofTotp(tx, { by, code, lockout, now }, [offered]);
      if (!checked.ok) return checked;
      await this.#replaceFormer(tx, by, factors.filter(isTotp).filter(isActive), now);
      const factor: TotpFactor = { ...checked.value, state: 'active', confirmedAt: now };
      await this.factors.confirm(tx, factor);
      await this.parts.journal.factor(tx, 'factor.confirmed', actorOf(by), factor);
      return ok({ factor, recoveryCodes: await this.parts.recovery.issueFirst(tx, by.personId, now) });
    });
  }

  async #replaceFormer(tx: Tx, by: PersonPrincipal, former: readonly TotpFactor[], now: number): Promise<void> {
    for (const factor of former) {
      await this.factors.remove(tx, factor.id, now);
      await this.parts.journal.factor(tx, 'factor.removed', actorOf(by), factor, { why: 'replaced' });
    }
  }
}
