import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type FactorId,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { isActive, isPasskey, MAX_FACTORS, type PasskeyFactor } from '../domain/factor.js';
import {
  challengeSpent,
  passkeyKnown,
  passkeyRefused,
  passkeysUnavailable,
  tooManyFactors,
} from '../domain/refusals.js';
import { STEP_UP_MS } from '../domain/step-up.js';
import type { GuardFactorChange } from './guard-factor-change.js';
import type { FactorEnrolled } from './enrol-totp.js';
import type { FactorJournal } from './factor-journal.js';
import type {
  FactorHolders,
  FactorRepository,
  LockoutRepository,
  PasskeyOptions,
  PasskeyRegistrationRepository,
  Passkeys,
} from './mfa.ports.js';
import type { RecoveryCodeIssuer } from './recovery-code-issuer.js';

/**
 * Registers a passkey (WebAuthn section 7.1). A challenge is given out, good for one answer within five minutes. The
 * answer must come from this origin, with the user verified.
 *
 * Failures: `mfa.passkeys_unavailable`, `mfa.too_many_factors`, those of {@link GuardFactorChange}; on registering
 * `mfa.challenge_spent`, `mfa.passkey_refused`, `mfa.passkey_known`.
 */
export class RegisterPasskey {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly holders: FactorHolders,
    private readonly factors: FactorRepository,
    private readonly lockouts: LockoutRepository,
    private readonly parts: {
      readonly passkeys: Passkeys;
      readonly registrations: PasskeyRegistrationRepository;
      readonly guard: GuardFactorChange;
      readonly recovery: RecoveryCodeIssuer;
      readonly journal: FactorJournal;
    },
  ) {}

  offer(by: PersonPrincipal, stepUpId: string | undefined): Promise<Result<PasskeyOptions>> {
    const { passkeys, registrations, guard } = this.parts;
    return this.uow.run(by.tenantId, async (tx) => {
      if (!passkeys.available) return err(passkeysUnavailable);
      await this.lockouts.lock(tx, by.personId);
      const holder = await this.holders.find(tx, by.personId);
      if (holder === null) return err(notFound('person'));
      const factors = await this.factors.list(tx, by.personId);
      if (factors.filter(isActive).length >= MAX_FACTORS) return err(tooManyFactors);
      const operation = { kind: 'factor_change', change: 'add_passkey' } as const;
      const checked = await guard.check(tx, by, { factors, operation, stepUpId });
      if (!checked.ok) return checked;
      const options = await passkeys.registrationOptions(holder, factors.filter(isPasskey));
      const createdAt = await tx.now();
      const { personId } = by;
      const { challenge } = options;
      await registrations.insert(tx, { personId, challenge, createdAt, expiresAt: createdAt + STEP_UP_MS });
      return ok(options);
    });
  }

  register(by: PersonPrincipal, name: string, answer: unknown): Promise<Result<FactorEnrolled<PasskeyFactor>>> {
    const { passkeys, registrations, recovery, journal } = this.parts;
    return this.uow.run(by.tenantId, async (tx) => {
      await this.lockouts.lock(tx, by.personId);
      const now = await tx.now();
      const challenges = await registrations.spend(tx, by.personId, now);
      if (challenges.length === 0) return err(challengeSpent);
      const proved = await passkeys.verifyRegistration(answer, challenges);
      if (proved === null) return err(passkeyRefused);
      if (await this.factors.passkeyKnown(tx, proved.passkeyId)) return err(passkeyKnown);
      const factor: PasskeyFactor = {
        ...proved,
        id: newId<FactorId>(),
        kind: 'passkey',
        state: 'active',
        personId: by.personId,
        name,
        createdAt: now,
        confirmedAt: now,
        lastUsedAt: null,
      };
      await this.factors.insert(tx, factor);
      await journal.factor(tx, 'factor.enrolled', actorOf(by), factor);
      return ok({ factor, recoveryCodes: await recovery.issueFirst(tx, by.personId, now) });
    });
  }
}
