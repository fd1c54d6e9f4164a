import type { AuditSink, RowSeals, SealedRow, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import { AesGcmSecretCipher } from './adapters/aes-gcm-secret-cipher.js';
import { DerivedKeys } from './adapters/derived-keys.js';
import { KeyringKeyWrapping } from './adapters/keyring-key-wrapping.js';
import { KeyringRowSeals } from './adapters/keyring-row-seals.js';
import { KeyringSecretDigests } from './adapters/keyring-secret-digests.js';
import { TypeormEnvironmentRepository } from './adapters/typeorm-environment.repository.js';
import { SqlSecretRepository } from './adapters/sql-secret.repository.js';
import { TypeormTenantRepository } from './adapters/typeorm-tenant.repository.js';
import { BindSecret } from './application/bind-secret.js';
import { EncryptedSecretVault } from './application/encrypted-secret-vault.js';
import {
  ChangeEnvironment,
  CreateEnvironment,
  GetEnvironment,
  GetTenant,
  ListEnvironments,
} from './application/environments.js';
import { FoundTenant } from './application/found-tenant.js';
import { SealAlarm } from './application/seal-alarm.js';
import { SealedTexts } from './application/sealed-texts.js';
import { ListSecrets, PutSecret, RotateSecrets } from './application/secrets.js';
import type {
  EnvironmentRepository,
  Keyring,
  SealedElsewhere,
  SecretRepository,
  SecretVault,
  TenantRepository,
} from './application/tenancy.ports.js';

/** The seals of rows. @param broken told of each that does not hold. */
export const createSeals = (keyring: Keyring, broken: (row: SealedRow) => void): RowSeals =>
  new KeyringRowSeals(new DerivedKeys(keyring), broken);

/** The services that depend on the master keys, made once for the installation. */
export type Keys = ReturnType<typeof createKeys<Keyring>>;

export function createKeys<Kept extends Keyring>(keyring: Kept) {
  const sealAlarm = new SealAlarm();
  const wrapping = new KeyringKeyWrapping(keyring);
  return {
    keyring,
    sealAlarm,
    cipher: new AesGcmSecretCipher(keyring),
    wrapping,
    texts: new SealedTexts(wrapping),
    digests: new KeyringSecretDigests(new DerivedKeys(keyring)),
    seals: createSeals(keyring, sealAlarm.report),
  };
}

/** The stored tenants, environments and secrets. */
export interface TenancyRows {
  readonly tenants: TenantRepository;
  readonly environments: EnvironmentRepository;
  readonly secrets: SecretRepository;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export const createTenancyStore = (): TenancyRows => ({
  tenants: new TypeormTenantRepository(),
  environments: new TypeormEnvironmentRepository(),
  secrets: new SqlSecretRepository(),
});

export interface TenancyDeps {
  readonly uow: UnitOfWork;
  readonly rows: TenancyRows;
  readonly keys: Keys;
  readonly audit: AuditSink;
  readonly twoPersonRule: TwoPersonRule;
  /** Further data that a rotation of the master key takes along. */
  readonly elsewhere: readonly SealedElsewhere[];
}

/** Tenants, environments and secrets. A broken seal is in the audit log from here on. */
export function createTenancy({ uow, rows, keys, audit, twoPersonRule, elsewhere }: TenancyDeps) {
  const { tenants, environments, secrets } = rows;
  const vault: SecretVault = new EncryptedSecretVault(secrets, keys.cipher);
  keys.sealAlarm.recordsIn(uow, audit);
  return {
    tenants,
    environments,
    vault,
    getTenant: new GetTenant(uow, tenants),
    foundTenant: new FoundTenant(tenants, environments),
    listEnvironments: new ListEnvironments(uow, environments),
    getEnvironment: new GetEnvironment(uow, environments),
    createEnvironment: new CreateEnvironment(uow, environments, audit),
    changeEnvironment: new ChangeEnvironment(uow, environments, twoPersonRule, audit),
    listSecrets: new ListSecrets(uow, vault),
    putSecret: new PutSecret(uow, vault, secrets, environments, twoPersonRule, audit),
    bindSecret: new BindSecret(uow, secrets, environments, twoPersonRule, audit),
    rotateSecrets: new RotateSecrets(uow, secrets, keys.cipher, keys.keyring, audit, elsewhere),
  };
}
