import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { SignInReturn, SignInReturnRepository } from '../application/sign-in.ports.js';

export class SqlSignInReturnRepository implements SignInReturnRepository {
  async useUp(tx: Tx, back: SignInReturn): Promise<boolean> {
    const sql = sqlOf(tx);
    await sql.execute(
      `delete from sign_in_transaction where tenant_id = $1 and expires_at <= clock_timestamp() - interval '1 hour'`,
      [tx.tenantId],
    );
    const inserted = await sql.query(
      `insert into sign_in_transaction (tenant_id, id, issuer_id, state_digest, browser_digest, created_at, expires_at)
       values ($1, $2, $3, $4, $5, clock_timestamp(), $6) on conflict do nothing returning id`,
      [tx.tenantId, back.id, back.issuerId, back.stateDigest, back.browserDigest, new Date(back.expiresAt)],
    );
    return inserted.length === 1;
  }
}
