import { maskedOperation, type MfaMethod, type SteppedUpOperation, notEnrolled, type StepUpId } from '#lib/identity';
import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type FactorId,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { CHALLENGE_NONCE_BYTES } from '#lib/verifier';
import { isActive, isPasskey, isTotp, type Factor, type PasskeyFactor } from '../domain/factor.js';
import type { Lockout } from '../domain/lockout.js';
import { challengeSpent, counterWentBack, passkeyRefused } from '../domain/refusals.js';
import {
  challengeOf,
  decideOpen,
  operationDigest,
  proved,
  STEP_UP_MS,
  type OpenStepUp,
  type PasskeyAssertion,
  type ProvedStepUp,
} from '../domain/step-up.js';
import type { CheckCode } from './check-code.js';
import type { FactorJournal } from './factor-journal.js';
import type {
  FactorRepository,
  LockoutRepository,
  PasskeyOptions,
  Passkeys,
  RandomSource,
  RecoveryCodeRepository,
  StepUpRepository,
} from './mfa.ports.js';

/** A step-up that waits for its proof. */
export interface StepUpStarted {
  readonly stepUp: OpenStepUp;
  /** The methods that the person can prove it with, the preferred first. */
  readonly methods: readonly MfaMethod[];
  readonly passkeyOptions: PasskeyOptions | null;
}

/** The proof that a person offers. */
export type OfferedProof =
  | { readonly method: 'totp' | 'recovery_code'; readonly code: string }
  | { readonly method: 'passkey'; readonly assertion: { readonly id: string } };

interface StepUpForOperationDeps {
  readonly uow: UnitOfWork;
  readonly factors: FactorRepository;
  readonly lockouts: LockoutRepository;
  readonly stepUps: StepUpRepository;
  readonly codes: RecoveryCodeRepository;
  readonly passkeys: Passkeys;
  readonly check: CheckCode;
  readonly journal: FactorJournal;
  readonly audit: AuditSink;
  readonly random: RandomSource;
}

/**
 * A person proves a second factor for one operation.
 *
 * Failures: `mfa.not_enrolled`; on proving `resource.not_found`, `mfa.already_proved`, `mfa.step_up_expired`,
 * `mfa.code_wrong`, `mfa.locked`, `mfa.challenge_spent`, `mfa.passkey_refused`, `mfa.passkey_counter`. They commit: a wrong code is
 * counted, and a challenge takes one answer.
 */
export class StepUpForOperation {
  constructor(private readonly deps: StepUpForOperationDeps) {}

  start(by: PersonPrincipal, asked: SteppedUpOperation): Promise<Result<StepUpStarted>> {
    const operation = maskedOperation(asked);
    const digest = operationDigest(by.personId, operation);
    const nonce = this.deps.random.bytes(CHALLENGE_NONCE_BYTES);
    const challenge = challengeOf(digest, nonce);
    return this.deps.uow.run(by.tenantId, async (tx) => {
      const factors = (await this.deps.factors.list(tx, by.personId)).filter(isActive);
      if (factors.length === 0) return err(notEnrolled('This'));
      const known = this.deps.passkeys.available ? factors.filter(isPasskey) : [];
      const passkeyOptions = known.length === 0 ? null : await this.deps.passkeys.assertionOptions(known, challenge);
      const recoverable = (await this.deps.codes.unused(tx, by.personId)).length > 0;
      const now = await tx.now();
      const stepUp: OpenStepUp = {
        id: newId<StepUpId>(),
        state: 'open',
        personId: by.personId,
        credentialId: by.credentialId,
        operation,
        operationDigest: digest,
        challenge: passkeyOptions === null ? null : challenge,
        nonce,
        createdAt: now,
        expiresAt: now + STEP_UP_MS,
      };
      await this.deps.stepUps.insert(tx, stepUp);
      const methods: MfaMethod[] = [
        ...(passkeyOptions === null ? [] : (['passkey'] as const)),
        ...(factors.some(isTotp) ? (['totp'] as const) : []),
        ...(recoverable ? (['recovery_code'] as const) : []),
      ];
      return ok({ stepUp, methods, passkeyOptions });
    });
  }

  prove(by: PersonPrincipal, id: StepUpId, offered: OfferedProof): Promise<Result<ProvedStepUp>> {
    return this.deps.uow.run(by.tenantId, async (tx) => {
      const lockout = await this.deps.lockouts.lock(tx, by.personId);
      const found = await this.deps.stepUps.lock(tx, id);
      if (found?.personId !== by.personId) return err(notFound('step-up'));
      const now = await tx.now();
      const open = decideOpen(found, now);
      if (!open.ok) return open;
      const factors = (await this.deps.factors.list(tx, by.personId)).filter(isActive);
      const shown = await this.#factorOf(tx, by, { offered, factors, lockout, stepUp: open.value, now });
      if (!shown.ok) return shown;
      const proof = proved(open.value, { method: offered.method, ...shown.value }, now);
      await this.deps.stepUps.save(tx, proof);
      await this.deps.audit.record(tx, {
        action: 'step_up.proved',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'step_up', id },
        payload: {
          method: proof.method,
          factor_id: proof.factorId,
          operation: { ...proof.operation },
          operation_digest: proof.operationDigest,
          proof_expires_at: proof.proofExpiresAt,
        },
      });
      return ok(proof);
    });
  }

  /** The factor that proves it, none for a recovery code, and a passkey's answer. */
  async #factorOf(tx: Tx, by: PersonPrincipal, attempt: Attempt): Promise<Result<Shown>> {
    const { offered, factors, lockout, now } = attempt;
    switch (offered.method) {
      case 'totp': {
        const checked = await this.deps.check.ofTotp(tx, { by, code: offered.code, lockout, now }, factors);
        return checked.ok ? ok({ factorId: checked.value.id, assertion: null }) : checked;
      }
      case 'recovery_code': {
        const checked = await this.deps.check.ofRecovery(tx, { by, code: offered.code, lockout, now });
        return checked.ok ? ok({ factorId: null, assertion: null }) : checked;
      }
      case 'passkey': {
        const passkey = factors.filter(isPasskey).find(({ passkeyId }) => passkeyId === offered.assertion.id);
        return this.#byPasskey(tx, by, attempt, { answer: offered.assertion, passkey });
      }
    }
  }

  async #byPasskey(
    tx: Tx,
    by: PersonPrincipal,
    { stepUp, now }: Attempt,
    { answer, passkey }: { readonly answer: unknown; readonly passkey: PasskeyFactor | undefined },
  ): Promise<Result<Shown>> {
    if (stepUp.challenge === null) return err(challengeSpent);
    // Computed from the operation that the person was asked to sign, not read from the row.
    const challenge = challengeOf(operationDigest(by.personId, stepUp.operation), stepUp.nonce);
    await this.deps.stepUps.spendChallenge(tx, stepUp.id);
    if (passkey === undefined) return err(passkeyRefused);
    const shown = await this.deps.passkeys.verifyAssertion(answer, challenge, passkey);
    if (shown === null) return err(passkeyRefused);
    // A passkey that counts at all counts up (WebAuthn section 6.1.1); one that does not always shows zero.
    const counts = shown.counter > 0 || passkey.counter > 0;
    if (counts && shown.counter <= passkey.counter) {
      const counters = { counter: shown.counter, expected_above: passkey.counter };
      await this.deps.journal.factor(tx, 'factor.counter_went_back', actorOf(by), passkey, counters);
      return err(counterWentBack);
    }
    const { assertion, counter, backedUp } = shown;
    await this.deps.factors.saveUse(tx, { ...passkey, counter, backedUp, lastUsedAt: now });
    return ok({ factorId: passkey.id, assertion });
  }
}

interface Shown {
  readonly factorId: FactorId | null;
  readonly assertion: PasskeyAssertion | null;
}

interface Attempt {
  readonly offered: OfferedProof;
  readonly factors: readonly Factor[];
  readonly lockout: Lockout;
  readonly stepUp: OpenStepUp & { readonly nonce: Uint8Array };
  readonly now: number;
}
