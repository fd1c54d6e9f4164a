import type { SystemQuery } from '#lib/database';
import type { MfaProofs, PasskeyKeeper } from '#lib/identity';
import type { AuditSink, RowSeals, SecretDigests, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { Keys, SealedElsewhere } from '#lib/tenancy';
import { CipherFactorSecrets } from './adapters/cipher-factor-secrets.js';
import { OtplibTotp } from './adapters/otplib-totp.js';
import { SqlPasskeyHosts } from './adapters/sql-passkey-hosts.js';
import { TypeormFactorRepository } from './adapters/typeorm-factor.repository.js';
import { TypeormLockoutRepository } from './adapters/typeorm-lockout.repository.js';
import { SqlPasskeyRegistrationRepository } from './adapters/sql-passkey-registration.repository.js';
import { TypeormRecoveryCodeRepository } from './adapters/typeorm-recovery-code.repository.js';
import { TypeormStaleFactorSecrets } from './adapters/typeorm-stale-factor-secrets.js';
import { TypeormStepUpRepository } from './adapters/typeorm-step-up.repository.js';
import { SimplewebauthnPasskeys } from './adapters/simplewebauthn-passkeys.js';
import { uqrCodes } from './adapters/uqr-codes.js';
import { GuardFactorChange } from './application/guard-factor-change.js';
import { CheckCode } from './application/check-code.js';
import { EnrolTotp } from './application/enrol-totp.js';
import { FactorJournal } from './application/factor-journal.js';
import { KeepFactors } from './application/keep-factors.js';
import { KeepOnePasskey } from './application/keep-one-passkey.js';
import type {
  FactorHolders,
  FactorRepository,
  FactorSecrets,
  LockoutRepository,
  PasskeyRegistrationRepository,
  Passkeys,
  QrCodes,
  RandomSource,
  RecoveryCodeRepository,
  StepUpRepository,
  TotpAlgorithm,
} from './application/mfa.ports.js';
import { ProofEvidence } from './application/proof-evidence.js';
import { ReadApproverKeys } from './application/read-approver-keys.js';
import { RecoveryCodeIssuer } from './application/recovery-code-issuer.js';
import { RegisterPasskey } from './application/register-passkey.js';
import { ResetFactors } from './application/reset-factors.js';
import { SignInPasskeys } from './application/sign-in-passkeys.js';
import { StepUpForOperation } from './application/step-up.js';
import { StoredMfaProofs } from './application/stored-mfa-proofs.js';
import { relyingPartyOf } from './domain/relying-party.js';

/** The stored factors, with lockouts, recovery codes, step-ups and registrations. */
export interface MfaRows {
  readonly factors: FactorRepository;
  readonly lockouts: LockoutRepository;
  readonly codes: RecoveryCodeRepository;
  readonly stepUps: StepUpRepository;
  readonly registrations: PasskeyRegistrationRepository;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export const createMfaStore = (seals: RowSeals): MfaRows => ({
  factors: new TypeormFactorRepository(seals),
  lockouts: new TypeormLockoutRepository(),
  codes: new TypeormRecoveryCodeRepository(),
  stepUps: new TypeormStepUpRepository(),
  registrations: new SqlPasskeyRegistrationRepository(),
});

/** The ways to check a factor, and to keep its secret. */
export interface FactorMethods {
  readonly passkeys: Passkeys;
  readonly totp: TotpAlgorithm;
  readonly secrets: FactorSecrets;
  readonly qr: QrCodes;
}

/** The methods of an installation, with the upkeep of the rows that depend on its keys and its address. */
export function createFactorMethods({
  uow,
  system,
  cipher,
  publicUrl,
}: {
  readonly uow: UnitOfWork;
  readonly system: SystemQuery;
  readonly cipher: Keys['cipher'];
  /** The public address of Countersign: passkeys are bound to it. */
  readonly publicUrl: string;
}) {
  const secrets = new CipherFactorSecrets(cipher);
  const methods: FactorMethods = {
    passkeys: new SimplewebauthnPasskeys(relyingPartyOf(publicUrl)),
    totp: new OtplibTotp(),
    secrets,
    qr: uqrCodes,
  };
  const staleFactorSecrets: SealedElsewhere = new TypeormStaleFactorSecrets(secrets);
  return { methods, staleFactorSecrets, passkeyHosts: new SqlPasskeyHosts(uow, system, publicUrl) };
}

export interface MfaDeps {
  readonly uow: UnitOfWork;
  readonly rows: MfaRows;
  readonly methods: FactorMethods;
  readonly digests: SecretDigests;
  readonly random: RandomSource;
  readonly people: FactorHolders;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/** Second factors. */
export function createMfa({ uow, rows, methods, digests, random, people, twoPersonRule, audit }: MfaDeps) {
  const { factors, lockouts, codes, stepUps, registrations } = rows;
  const { passkeys, totp, secrets, qr } = methods;
  const journal = new FactorJournal(audit, factors, twoPersonRule);
  const check = new CheckCode({ factors, lockouts, codes, totp, secrets, digests, journal });
  const recovery = new RecoveryCodeIssuer(codes, digests, random);
  const proofs: MfaProofs = new StoredMfaProofs(stepUps, factors);
  const guard = new GuardFactorChange(proofs);
  const passkeyKeeper: PasskeyKeeper = new KeepOnePasskey(rows, journal);
  return {
    proofs,
    passkeyKeeper,
    proofEvidence: new ProofEvidence(stepUps, factors),
    readApproverKeys: new ReadApproverKeys(uow, people, factors),
    enrolTotp: new EnrolTotp(uow, people, factors, lockouts, {
      totp,
      secrets,
      qr,
      guard,
      check,
      recovery,
      journal,
    }),
    registerPasskey: new RegisterPasskey(uow, people, factors, lockouts, {
      passkeys,
      registrations,
      guard,
      recovery,
      journal,
    }),
    keepFactors: new KeepFactors(uow, factors, lockouts, codes, stepUps, { guard, recovery, journal }),
    stepUpForOperation: new StepUpForOperation({
      uow,
      factors,
      lockouts,
      stepUps,
      codes,
      passkeys,
      check,
      journal,
      audit,
      random,
    }),
    signInPasskeys: new SignInPasskeys({
      holders: people,
      factors,
      lockouts,
      registrations,
      passkeys,
      check,
      recovery,
      journal,
    }),
    resetFactors: new ResetFactors({ uow, holders: people, factors, lockouts, codes, stepUps, twoPersonRule, journal }),
  };
}
