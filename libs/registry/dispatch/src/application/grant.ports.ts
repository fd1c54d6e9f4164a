import type { Tx } from '#lib/kernel';
import type { GrantKeyRecord } from '../domain/grant-key.js';
import type { IssuedGrant } from '../domain/grant.js';
import type { GrantOrder, GrantSource } from './tool-dispatcher.port.js';

/** The grants table, inside one tenant's transaction. */
export interface GrantRepository {
  insert(
    tx: Tx,
    grant: { readonly id: string; readonly issuedAt: number; readonly expiresAt: number },
    order: GrantOrder,
  ): Promise<void>;
  /** Locks the grant's row until the transaction ends. */
  lock(tx: Tx, id: string): Promise<IssuedGrant | null>;
  markRedeemed(tx: Tx, id: string, now: number): Promise<void>;
  revokeLive(tx: Tx, selector: GrantSelector, reason: string, now: number): Promise<number>;
}

/** Which grants are revoked: a tenant's, an environment's, a tool's, those of some sources; or all, those of rollbacks too. */
export type GrantSelector =
  | { readonly kind: 'all' }
  | { readonly kind: 'tenant' }
  | { readonly kind: 'environment'; readonly environment: string }
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'sources'; readonly sources: readonly GrantSource[] };

/** Revokes grants that are not redeemed yet, in the caller's own transaction; only `all` touches those of rollbacks. */
export interface GrantRevoker {
  /** @returns how many were revoked. */
  revoke(tx: Tx, selector: GrantSelector, reason: string): Promise<number>;
}

/** A private key, held only as long as it takes to sign. */
export interface SigningKey {
  readonly kid: string;
  /** PKCS #8, DER. */
  readonly privateKey: Uint8Array;
}

/** The keys that sign grants; one set for the whole installation, in the database, encrypted. */
export interface GrantKeyStore {
  list(): Promise<{ readonly keys: readonly GrantKeyRecord[]; readonly now: number }>;
  privateKey(kid: string): Promise<SigningKey>;
  /**
   * Adds the successor of the key `after`, which the caller saw as the newest; null for the first of all. If another
   * process was faster nothing is added. `activeFrom` null: from now on.
   */
  add(
    key: { readonly publicJwk: GrantKeyRecord['publicJwk']; readonly kid: string; readonly privateKey: Uint8Array },
    activeFrom: number | null,
    after: string | null,
  ): Promise<void>;
}
