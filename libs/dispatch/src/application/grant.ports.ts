import type { Tx } from '#lib/kernel';
import type { GrantKeyRecord } from '../domain/grant-key.js';
import type { IssuedGrant } from '../domain/grant.js';
import type { DispatchOrder } from './tool-dispatcher.port.js';

/** The grants table, inside one tenant's transaction. */
export interface GrantRepository {
  insert(
    tx: Tx,
    grant: { readonly id: string; readonly issuedAt: number; readonly expiresAt: number },
    order: DispatchOrder,
  ): Promise<void>;
  /** Locks the grant's row until the transaction ends. */
  lock(tx: Tx, id: string): Promise<IssuedGrant | null>;
  markRedeemed(tx: Tx, id: string, now: number): Promise<void>;
  revokeLive(tx: Tx, selector: GrantSelector, reason: string, now: number): Promise<number>;
}

/** Which grants a halt revokes: a tenant's, an environment's, a tool's, or those of some runs. */
export type GrantSelector =
  | { readonly kind: 'tenant' }
  | { readonly kind: 'environment'; readonly environment: string }
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'runs'; readonly runIds: readonly string[] };

/** Revokes grants that nobody has redeemed yet, in the halt's own transaction; those of rollbacks stay good. */
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
  /** Adds a key; with `activeFrom` null it is the first, and signs at once, unless another process was faster. */
  add(
    key: { readonly publicJwk: GrantKeyRecord['publicJwk']; readonly kid: string; readonly privateKey: Uint8Array },
    activeFrom: number | null,
  ): Promise<void>;
}
