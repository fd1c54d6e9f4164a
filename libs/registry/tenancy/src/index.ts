/**
 * Tenants, their environments, and their secrets.
 *
 * Invariants: an environment's record has a version that every change raises, since approvals bind it; taking the
 * production flag away is on record as loosening; a secret's value is encrypted under a named master key, bound to
 * tenant, name and version; a new value is a new version; a secret is sent to the destinations of its binding alone.
 *
 * Never shows a secret's value to a person: it leaves only through `SecretVault.resolve`, to a destination of its binding.
 */
export { DIGEST_PURPOSE } from './adapters/derived-keys.js';
export { openKeyring, type FileKeyring } from './adapters/file-keyring.js';
export { keysToHandOver } from './adapters/keys-to-hand-over.js';
export { environmentEntity, secretBindingEntity, secretEntity, tenantEntity } from './adapters/tenancy.entity.js';
export {
  ChangeEnvironment,
  CreateEnvironment,
  GetEnvironment,
  GetTenant,
  ListEnvironments,
} from './application/environments.js';
export { BROKEN_SEAL } from './application/seal-alarm.js';
export { BindSecret } from './application/bind-secret.js';
export { SealedTexts } from './application/sealed-texts.js';
export { ListSecrets, PutSecret, RotateSecrets } from './application/secrets.js';
export type {
  EnvironmentRepository,
  Keyring,
  KeyWrapping,
  SealedElsewhere,
  SecretCipher,
  SecretMetadata,
  SecretVault,
  TenantRepository,
  WrappedBytes,
} from './application/tenancy.ports.js';
export { isBoundTo, type SecretBinding, type SecretUse } from './domain/secret-binding.js';
export type { Environment } from './domain/environment.js';
export { formatSecretReference } from './domain/secret-reference.js';
export { createKeys, createSeals, createTenancy, createTenancyStore, type Keys } from './create-tenancy.js';
