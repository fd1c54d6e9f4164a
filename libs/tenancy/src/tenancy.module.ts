import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { UNIT_OF_WORK } from '#lib/database';
import {
  GUARDRAIL,
  ROW_SEALS,
  SECRET_DIGESTS,
  type AuditSink,
  type Guardrail,
  type RowSeals,
  type SecretDigests,
  type UnitOfWork,
} from '#lib/kernel';
import {
  AesGcmSecretCipher,
  BindSecret,
  ChangeEnvironment,
  CreateEnvironment,
  EncryptedSecretVault,
  ENVIRONMENT_REPOSITORY,
  GetEnvironment,
  GetTenant,
  KEYRING,
  ListEnvironments,
  ListSecrets,
  PutSecret,
  RotateSecrets,
  SealAlarm,
  SECRET_VAULT,
  TENANT_REPOSITORY,
  TypeormEnvironmentRepository,
  TypeormSecretRepository,
  TypeormTenantRepository,
  type Keyring,
  type SealedElsewhere,
} from '#lib/tenancy';

/** What rests on the master keys, made once for the installation. */
interface KeyedParts {
  readonly keyring: Keyring;
  readonly digests: SecretDigests;
  readonly seals: RowSeals;
  readonly alarm: SealAlarm;
}

type Make = (uow: UnitOfWork, audit: AuditSink) => unknown;

/** Tenants, environments and secrets. Needs the database's, the audit log's and the guardrail's modules, which are global. */
@Module({})
export class TenancyModule {
  /** @param elsewhere what a rotation of the master key takes along. */
  static of({ keyring, digests, seals, alarm }: KeyedParts, elsewhere: readonly SealedElsewhere[]): DynamicModule {
    const tenants = new TypeormTenantRepository();
    const environments = new TypeormEnvironmentRepository();
    const secrets = new TypeormSecretRepository();
    const cipher = new AesGcmSecretCipher(keyring);
    const vault = new EncryptedSecretVault(secrets, cipher);

    const makers = new Map<FactoryProvider['provide'], Make>([
      [KEYRING, () => keyring],
      [SECRET_DIGESTS, () => digests],
      [ROW_SEALS, () => seals],
      [
        SealAlarm,
        (uow, audit) => {
          alarm.recordsIn(uow, audit);
          return alarm;
        },
      ],
      [SECRET_VAULT, () => vault],
      [TENANT_REPOSITORY, () => tenants],
      [ENVIRONMENT_REPOSITORY, () => environments],
      [GetTenant, (uow) => new GetTenant(uow, tenants)],
      [ListEnvironments, (uow) => new ListEnvironments(uow, environments)],
      [GetEnvironment, (uow) => new GetEnvironment(uow, environments)],
      [CreateEnvironment, (uow, audit) => new CreateEnvironment(uow, environments, audit)],
      [ListSecrets, (uow) => new ListSecrets(uow, vault)],
      [RotateSecrets, (uow, audit) => new RotateSecrets(uow, secrets, cipher, keyring, audit, elsewhere)],
    ]);
    const providers: FactoryProvider[] = [...makers].map(([provide, useFactory]) => ({
      provide,
      useFactory,
      inject: [UNIT_OF_WORK, AUDIT_SINK],
    }));
    providers.push({
      provide: ChangeEnvironment,
      useFactory: (uow: UnitOfWork, guardrail: Guardrail, audit: AuditSink) =>
        new ChangeEnvironment(uow, environments, guardrail, audit),
      inject: [UNIT_OF_WORK, GUARDRAIL, AUDIT_SINK],
    });
    providers.push({
      provide: PutSecret,
      useFactory: (uow: UnitOfWork, guardrail: Guardrail, audit: AuditSink) =>
        new PutSecret(uow, vault, secrets, environments, guardrail, audit),
      inject: [UNIT_OF_WORK, GUARDRAIL, AUDIT_SINK],
    });
    providers.push({
      provide: BindSecret,
      useFactory: (uow: UnitOfWork, guardrail: Guardrail, audit: AuditSink) =>
        new BindSecret(uow, secrets, environments, guardrail, audit),
      inject: [UNIT_OF_WORK, GUARDRAIL, AUDIT_SINK],
    });
    return { module: TenancyModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
