import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { UNIT_OF_WORK } from '#lib/database';
import { nodeRandomBytes, PostgresPersonRepository } from '#lib/identity';
import {
  GUARDRAIL,
  MFA_PROOFS,
  PASSKEY_KEEPER,
  type AuditSink,
  type Guardrail,
  type RowSeals,
  type SecretDigests,
  type UnitOfWork,
} from '#lib/kernel';
import {
  AdmitFactorChange,
  CheckCode,
  CipherFactorSecrets,
  EnrolTotp,
  FactorJournal,
  KeepFactors,
  KeepOnePasskey,
  OtplibTotp,
  PostgresFactorRepository,
  PostgresLockoutRepository,
  PostgresPasskeyRegistrationRepository,
  PostgresRecoveryCodeRepository,
  PostgresStepUpRepository,
  ProofEvidence,
  ReadApproverKeys,
  RecoveryCodeIssuer,
  RegisterPasskey,
  relyingPartyOf,
  ResetFactors,
  SignInPasskeys,
  SimplewebauthnPasskeys,
  StepUpForOperation,
  StoredMfaProofs,
  uqrCodes,
} from '#lib/mfa';
import { AesGcmSecretCipher, type Keyring } from '#lib/tenancy';

type Make = (uow: UnitOfWork, audit: AuditSink, guardrail: Guardrail) => unknown;

/** Second factors. Needs the database's, the audit log's and the guardrail's modules, which are global. */
@Module({})
export class MfaModule {
  /** @param options.publicUrl where people reach Countersign: passkeys are bound to it. */
  static of(options: {
    readonly publicUrl: string;
    readonly keyring: Keyring;
    readonly digests: SecretDigests;
    readonly seals: RowSeals;
  }): DynamicModule {
    const holders = new PostgresPersonRepository(options.seals);
    const factors = new PostgresFactorRepository(options.seals);
    const lockouts = new PostgresLockoutRepository();
    const codes = new PostgresRecoveryCodeRepository();
    const stepUps = new PostgresStepUpRepository();
    const registrations = new PostgresPasskeyRegistrationRepository();
    const party = relyingPartyOf(options.publicUrl);
    const passkeys = new SimplewebauthnPasskeys(party);
    const totp = new OtplibTotp();
    const secrets = new CipherFactorSecrets(new AesGcmSecretCipher(options.keyring));
    const proofs = new StoredMfaProofs(stepUps, factors);
    const admit = new AdmitFactorChange(proofs);
    const recovery = new RecoveryCodeIssuer(codes, options.digests, nodeRandomBytes);
    const checkOf = (journal: FactorJournal): CheckCode =>
      new CheckCode(factors, lockouts, codes, totp, secrets, options.digests, journal);

    const makers = new Map<FactoryProvider['provide'], Make>([
      [MFA_PROOFS, () => proofs],
      [ProofEvidence, () => new ProofEvidence(stepUps, factors)],
      [ReadApproverKeys, (uow) => new ReadApproverKeys(uow, holders, factors, party)],
      [
        EnrolTotp,
        (uow, audit, guardrail) => {
          const journal = new FactorJournal(audit, factors, guardrail);
          const check = checkOf(journal);
          const parts = { totp, secrets, qr: uqrCodes, admit, check, recovery, journal };
          return new EnrolTotp(uow, holders, factors, lockouts, parts);
        },
      ],
      [
        RegisterPasskey,
        (uow, audit, guardrail) => {
          const parts = {
            passkeys,
            registrations,
            admit,
            recovery,
            journal: new FactorJournal(audit, factors, guardrail),
          };
          return new RegisterPasskey(uow, holders, factors, lockouts, parts);
        },
      ],
      [
        KeepFactors,
        (uow, audit, guardrail) => {
          const parts = { admit, recovery, journal: new FactorJournal(audit, factors, guardrail) };
          return new KeepFactors(uow, factors, lockouts, codes, stepUps, parts);
        },
      ],
      [
        PASSKEY_KEEPER,
        (_uow, audit, guardrail) =>
          new KeepOnePasskey(
            { factors, lockouts, codes, stepUps, registrations },
            party,
            new FactorJournal(audit, factors, guardrail),
          ),
      ],
      [
        StepUpForOperation,
        (uow, audit, guardrail) => {
          const journal = new FactorJournal(audit, factors, guardrail);
          const check = checkOf(journal);
          return new StepUpForOperation(
            uow,
            factors,
            lockouts,
            stepUps,
            codes,
            passkeys,
            check,
            journal,
            audit,
            nodeRandomBytes,
          );
        },
      ],
      [
        SignInPasskeys,
        (_uow, audit, guardrail) => {
          const journal = new FactorJournal(audit, factors, guardrail);
          const check = checkOf(journal);
          const stored = { holders, factors, lockouts, registrations };
          return new SignInPasskeys({ ...stored, passkeys, check, recovery, journal });
        },
      ],
    ]);
    const providers: FactoryProvider[] = [...makers].map(([provide, useFactory]) => ({
      provide,
      useFactory,
      inject: [UNIT_OF_WORK, AUDIT_SINK, GUARDRAIL],
    }));
    providers.push({
      provide: ResetFactors,
      useFactory: (uow: UnitOfWork, guardrail: Guardrail, audit: AuditSink) =>
        new ResetFactors(
          uow,
          holders,
          factors,
          lockouts,
          codes,
          stepUps,
          guardrail,
          new FactorJournal(audit, factors, guardrail),
        ),
      inject: [UNIT_OF_WORK, GUARDRAIL, AUDIT_SINK],
    });
    return { module: MfaModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
