import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { BootstrapTokenRepository } from '../application/identity.ports.js';

/** Bootstrap tokens in PostgreSQL. Their table spans tenants, so it has no entity. */
export class SqlBootstrapTokenRepository implements BootstrapTokenRepository {
  async insert(tx: Tx, token: { digest: Uint8Array; lifetimeMs: number }): Promise<number> {
    const [row] = await sqlOf(tx).query<{ readonly expires_at: Date }>(
      `insert into bootstrap_token (token_digest, created_at, expires_at)
       select $1, clock.now, clock.now + $2 * interval '1 millisecond' from (select clock_timestamp() as now) clock
       returning expires_at`,
      [token.digest, token.lifetimeMs],
    );
    if (row === undefined) throw new Error('the bootstrap token was not stored');
    return row.expires_at.getTime();
  }

  async use(tx: Tx, digests: readonly Uint8Array[]): Promise<boolean> {
    const used = await sqlOf(tx).execute(
      `update bootstrap_token set used_at = clock_timestamp()
        where token_digest = any ($1::bytea[]) and used_at is null and expires_at > clock_timestamp()`,
      [digests],
    );
    return used === 1;
  }
}
