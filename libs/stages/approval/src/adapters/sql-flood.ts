import { sqlOf } from '#lib/database';
import type { AgentId, Tx } from '#lib/kernel';
import type { FloodRepository } from '../application/approval.ports.js';

/** How often agents ask, in PostgreSQL: from the requests themselves, so that every replica counts the same. */
export class SqlFlood implements FloodRepository {
  async latest(tx: Tx, agentId: AgentId, limit: number): Promise<readonly number[]> {
    // Two that ask at once would each see the last place free. The second statement reads the rows once the lock is held.
    const [, rows] = await Promise.all([
      sqlOf(tx).query(`select pg_advisory_xact_lock(hashtextextended('countersign.flood:' || $1 || $2, 0))`, [
        tx.tenantId,
        agentId,
      ]),
      sqlOf(tx).query<{ opened_at: Date }>(
        `select opened_at from approval_request where tenant_id = $1 and agent_id = $2 order by opened_at desc limit $3`,
        [tx.tenantId, agentId, limit],
      ),
    ]);
    return rows.map(({ opened_at }) => opened_at.getTime());
  }

  async throttled(
    tx: Tx,
    agentId: AgentId,
    { since, until }: { readonly since: number; readonly until: number },
  ): Promise<boolean> {
    const [row] = await sqlOf(tx).query<{ refused: number }>(
      `insert into approval_throttle (tenant_id, agent_id, since, until, refused) values ($1, $2, $3, $4, 1)
       on conflict on constraint approval_throttle_pk do update set
         since = case when approval_throttle.until > excluded.since then approval_throttle.since else excluded.since end,
         refused = case when approval_throttle.until > excluded.since then approval_throttle.refused + 1 else 1 end,
         until = greatest(approval_throttle.until, excluded.until)
       returning refused`,
      [tx.tenantId, agentId, new Date(since), new Date(until)],
    );
    return row?.refused === 1;
  }
}
