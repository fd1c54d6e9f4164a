import { lockName, rowsOf, sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { FloodRepository } from '../application/approval.ports.js';
import type { LimitedRequester } from '../domain/request-flood.js';
import { approvalRequestEntity } from './approval.entity.js';

/** How often agents and people ask, in PostgreSQL: from the requests themselves, so that every replica counts the same. */
export class SqlFlood implements FloodRepository {
  async latest(tx: Tx, { kind, id }: LimitedRequester, limit: number): Promise<readonly number[]> {
    // Two requests at once would each count themselves as the last one allowed. The second statement reads the rows once the lock is held.
    const [, rows] = await Promise.all([
      lockName(tx, `countersign.flood:${tx.tenantId}${id}`),
      rowsOf(tx, approvalRequestEntity).find(
        { [`${kind}Id` as const]: id },
        { only: ['openedAt'], order: { openedAt: 'desc' }, limit },
      ),
    ]);
    return rows.map(({ openedAt }) => openedAt);
  }

  async throttled(
    tx: Tx,
    id: LimitedRequester['id'],
    { since, until }: { readonly since: number; readonly until: number },
  ): Promise<boolean> {
    const [row] = await sqlOf(tx).query<{ refused: number }>(
      `insert into approval_throttle (tenant_id, requester_id, since, until, refused) values ($1, $2, $3, $4, 1)
       on conflict on constraint approval_throttle_pk do update set
         since = case when approval_throttle.until > excluded.since then approval_throttle.since else excluded.since end,
         refused = case when approval_throttle.until > excluded.since then approval_throttle.refused + 1 else 1 end,
         until = greatest(approval_throttle.until, excluded.until)
       returning refused`,
      [tx.tenantId, id, new Date(since), new Date(until)],
    );
    return row?.refused === 1;
  }
}
