/** Names that an application's container knows the ports by: interfaces have none at run time. */
export const KEYRING = Symbol('Keyring');
export const SECRET_VAULT = Symbol('SecretVault');
export const ENVIRONMENT_REPOSITORY = Symbol('EnvironmentRepository');
export const TENANT_REPOSITORY = Symbol('TenantRepository');
