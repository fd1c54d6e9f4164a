import { sqlOf, type SystemQuery } from '#lib/database';
import type { TenantId, Tx } from '#lib/kernel';
import type { SignInTransaction, SignInTransactionRepository } from '../application/sign-in.ports.js';

interface TransactionRow {
  readonly id: string;
  readonly issuer_id: string;
  readonly browser_digest: Uint8Array;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly max_age_seconds: number | null;
  readonly return_to: string;
  readonly expires_at: Date;
  readonly used_at: Date | null;
}

export class PostgresSignInTransactionRepository implements SignInTransactionRepository {
  readonly #system: SystemQuery;

  constructor(system: SystemQuery) {
    this.#system = system;
  }

  async insert(
    tx: Tx,
    transaction: Omit<SignInTransaction, 'usedAt'> & { readonly stateDigest: Uint8Array },
  ): Promise<void> {
    await sqlOf(tx).execute(
      `delete from sign_in_transaction where tenant_id = $1 and expires_at < clock_timestamp() - interval '1 hour'`,
      [tx.tenantId],
    );
    await sqlOf(tx).execute(
      `insert into sign_in_transaction (tenant_id, id, issuer_id, state_digest, browser_digest, nonce, code_verifier,
         max_age_seconds, return_to, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp(), $10)`,
      [
        tx.tenantId,
        transaction.id,
        transaction.issuerId,
        transaction.stateDigest,
        transaction.browserDigest,
        transaction.nonce,
        transaction.codeVerifier,
        transaction.maxAgeSeconds,
        transaction.returnTo,
        new Date(transaction.expiresAt),
      ],
    );
  }

  async locate(stateDigests: readonly Uint8Array[]): Promise<{ tenantId: TenantId; id: string } | null> {
    for (const digest of stateDigests) {
      const [row] = await this.#system.call('sign_in_transaction_by_state', digest);
      if (row !== undefined) return row;
    }
    return null;
  }

  async lock(tx: Tx, id: string): Promise<SignInTransaction | null> {
    const [row] = await sqlOf(tx).query<TransactionRow>(
      `select id, issuer_id, browser_digest, nonce, code_verifier, max_age_seconds, return_to, expires_at, used_at
         from sign_in_transaction where tenant_id = $1 and id = $2 for update`,
      [tx.tenantId, id],
    );
    if (row === undefined) return null;
    return {
      id: row.id,
      issuerId: row.issuer_id,
      browserDigest: row.browser_digest,
      nonce: row.nonce,
      codeVerifier: row.code_verifier,
      maxAgeSeconds: row.max_age_seconds,
      returnTo: row.return_to,
      expiresAt: row.expires_at.getTime(),
      usedAt: row.used_at?.getTime() ?? null,
    };
  }

  async markUsed(tx: Tx, id: string): Promise<void> {
    await sqlOf(tx).execute(
      'update sign_in_transaction set used_at = clock_timestamp() where tenant_id = $1 and id = $2',
      [tx.tenantId, id],
    );
  }
}
