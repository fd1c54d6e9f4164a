import type { SystemQuery } from '#lib/database';
import { type MfaProofs, type PasskeyKeeper, nodeRandomBytes, type PersonRepository } from '#lib/identity';
import type { AuditSink, RowSeals, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { Keys } from '#lib/tenancy';
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
  FactorRepository,
  LockoutRepository,
  PasskeyRegistrationRepository,
  RecoveryCodeRepository,
  StepUpRepository,
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

export interface MfaDeps {
  readonly uow: UnitOfWork;
  readonly rows: MfaRows;
  readonly system: SystemQuery;
  readonly keys: Keys;
  readonly people: PersonRepository;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
  /** The public address of Countersign: passkeys are bound to it. */
  readonly publicUrl: string;
}

/** Second factors. */
export type Mfa = ReturnType<typeof createMfa>;

export function createMfa({ uow, rows, system, keys, people, twoPersonRule, audit, publicUrl }: MfaDeps) {
  const { factors, lockouts, codes, stepUps, registrations } = rows;
  const party = relyingPartyOf(publicUrl);
  const passkeys = new SimplewebauthnPasskeys(party);
  const totp = new OtplibTotp();
  const secrets = new CipherFactorSecrets(keys.cipher);
  const journal = new FactorJournal(audit, factors, twoPersonRule);
  const check = new CheckCode({ factors, lockouts, codes, totp, secrets, digests: keys.digests, journal });
  const recovery = new RecoveryCodeIssuer(codes, keys.digests, nodeRandomBytes);
  const proofs: MfaProofs = new StoredMfaProofs(stepUps, factors);
  const guard = new GuardFactorChange(proofs);
  const passkeyKeeper: PasskeyKeeper = new KeepOnePasskey(rows, journal);
  return {
    proofs,
    passkeyKeeper,
    passkeyHosts: new SqlPasskeyHosts(uow, system, publicUrl),
    staleFactorSecrets: new TypeormStaleFactorSecrets(secrets),
    proofEvidence: new ProofEvidence(stepUps, factors),
    readApproverKeys: new ReadApproverKeys(uow, people, factors),
    enrolTotp: new EnrolTotp(uow, people, factors, lockouts, {
      totp,
      secrets,
      qr: uqrCodes,
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
      random: nodeRandomBytes,
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
