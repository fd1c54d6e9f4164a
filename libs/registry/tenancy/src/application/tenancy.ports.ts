import type { EnvironmentId, Result, Tx } from '#lib/kernel';
import type { Environment, Tenant } from '../domain/environment.js';
import type { SecretBinding, SecretUse } from '../domain/secret-binding.js';
import type { SecretReference } from '../domain/secret-reference.js';

/** The tenants, each read and written in a transaction of its own. */
export interface TenantRepository {
  /** Makes the transaction's own tenant. @returns false if the slug is taken. */
  insert(tx: Tx, tenant: Tenant): Promise<boolean>;
  /** The transaction's own tenant. */
  find(tx: Tx): Promise<Tenant | null>;
}

/** The environments of a tenant. */
export interface EnvironmentRepository {
  /** @returns false if the name is taken in the tenant. */
  insert(tx: Tx, environment: Environment): Promise<boolean>;
  byId(tx: Tx, id: EnvironmentId): Promise<Environment | null>;
  byName(tx: Tx, name: string): Promise<Environment | null>;
  lock(tx: Tx, id: EnvironmentId): Promise<Environment | null>;
  save(tx: Tx, environment: Environment): Promise<void>;
  /** Sorted by name, after the given one. */
  list(tx: Tx, page: { readonly limit: number; readonly afterName: string | null }): Promise<readonly Environment[]>;
  names(tx: Tx): Promise<readonly string[]>;
}

/** Something encrypted under one master key. */
export interface WrappedBytes {
  readonly keyId: string;
  readonly nonce: Uint8Array;
  /** Ciphertext and tag. */
  readonly ciphertext: Uint8Array;
}

/** Encrypts the installation's own keys, which must not lie readable in a database or a backup, under a master key. */
export interface KeyWrapping {
  wrap(purpose: string, plain: Uint8Array): Promise<WrappedBytes>;
  /** Rejects if the bytes, or the purpose they were wrapped for, differ. */
  unwrap(purpose: string, wrapped: WrappedBytes): Promise<Uint8Array>;
}

/** The part of a secret that may be shown. */
export interface SecretMetadata extends SecretReference {
  /** The destinations it may be sent to; null: none. */
  readonly binding: SecretBinding | null;
  readonly keyId: string;
  readonly createdAt: number;
  readonly createdBy: string;
}

/** One version of a secret, encrypted. */
export interface StoredSecret extends SecretReference, WrappedBytes {
  readonly id: string;
}

/** The secrets of a tenant, encrypted, with their bindings. */
export interface SecretRepository {
  /** The highest version of a name, 0 if there is none. No other transaction stores one of that name until this one ends. */
  lockName(tx: Tx, name: string): Promise<number>;
  insert(tx: Tx, secret: StoredSecret & { readonly createdAt: number; readonly createdBy: string }): Promise<void>;
  find(tx: Tx, reference: SecretReference): Promise<StoredSecret | null>;
  /** Sorted by name and version, after the given one. */
  list(
    tx: Tx,
    page: { readonly limit: number; readonly after: SecretReference | null },
  ): Promise<readonly SecretMetadata[]>;
  /** Locks some that are not encrypted under `keyId`. */
  lockStale(tx: Tx, keyId: string, limit: number): Promise<readonly StoredSecret[]>;
  reseal(tx: Tx, id: string, sealed: WrappedBytes): Promise<void>;
  binding(tx: Tx, name: string): Promise<SecretBinding | null>;
  /** @param by the id of a person. */
  saveBinding(tx: Tx, name: string, binding: SecretBinding | null, by: string, at: number): Promise<void>;
}

/** Further data of a tenant encrypted under the master keys: a rotation takes it along. */
export interface SealedElsewhere {
  /** Locks some that are not encrypted under `keyId`, and encrypts them anew. @returns their names. */
  resealStale(tx: Tx, keyId: string, limit: number): Promise<Result<readonly string[]>>;
}

/**
 * A key derived at another installation, which came with a tenant that moved. It checks seals of the tenant's rows, or
 * digests of tokens, of that installation.
 */
export interface MovedKey {
  /** The purpose that its derivation names. */
  readonly purpose: string;
  /** The id of the master key there, as the seals name it. */
  readonly id: string;
  readonly key: Uint8Array;
}

/** The master keys, 256 bits each. Old ones stay, for the values still encrypted under them. */
export interface Keyring {
  /** The key that encrypts now. */
  current(): Promise<{ readonly id: string; readonly key: Uint8Array }>;
  byId(id: string): Promise<Uint8Array | null>;
  ring(): Promise<MasterKeys>;
}

/** The keys of a keyring at one moment. */
export interface MasterKeys {
  /** The id of the key that encrypts. */
  readonly current: string;
  /** By id, 256 bits each. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  /** Absent: none. */
  readonly moved?: readonly MovedKey[];
}

/** Encrypts and decrypts one value, bound to where it stands. */
export interface SecretCipher {
  seal(context: SecretContext, value: string): Promise<WrappedBytes>;
  /** `secret.key_missing` or `secret.corrupt` if it can't be read. */
  open(context: SecretContext, sealed: WrappedBytes): Promise<Result<string>>;
}

/** Authenticated with the ciphertext, so that a row moved to another tenant, name or version does not open. */
export interface SecretContext extends SecretReference {
  readonly tenantId: string;
}

/** The secrets of the transaction's tenant. A value leaves only through `resolve`, and only to a destination of its binding. */
export interface SecretVault {
  /** Stores the next version of `name`. `createdBy` is a person's id. */
  put(
    tx: Tx,
    secret: { readonly name: string; readonly value: string; readonly createdBy: string },
  ): Promise<Result<Omit<SecretMetadata, 'binding'>>>;
  /**
   * The value of `name@version`, to be sent there and nowhere else: `secret.invalid_reference`, `secret.unknown`,
   * `secret.not_bound`, `secret.key_missing` or `secret.corrupt` otherwise.
   */
  resolve(tx: Tx, reference: string, use: SecretUse): Promise<Result<string>>;
  list(
    tx: Tx,
    page: { readonly limit: number; readonly after: SecretReference | null },
  ): Promise<readonly SecretMetadata[]>;
}
