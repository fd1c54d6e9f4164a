import { parseStrictJson } from '#lib/canonical';
import { rowsOf, sqlOf } from '#lib/database';
import { newId, type AuditLevel, type LogFollowerId, type Tx } from '#lib/kernel';
import type { FollowerAt, LogFollowers, LogPlace, LogStretch } from '../application/log-followers.port.js';
import { logFollowerEntity } from './audit.entity.js';
import { ENTRY_COLUMNS, storedEntry, type EntryRow } from './sql-audit-entries.js';

/** Followers of the log in PostgreSQL. */
export class SqlLogFollowers implements LogFollowers {
  async begin(tx: Tx, name: string): Promise<void> {
    await sqlOf(tx).query(
      `insert into log_follower (tenant_id, id, name, epoch, next_index, head_epoch, head_size, not_before)
       select $1, $2, $3, tree.epoch, tree.size, tree.epoch, tree.size, statement_timestamp()
         from (select coalesce(max(epoch), 1) as epoch from audit_epoch where tenant_id = $1) latest
         cross join lateral (
           select latest.epoch, coalesce(max(leaf_index) + 1, 0) as size
             from audit_leaf where tenant_id = $1 and epoch = latest.epoch) tree
       on conflict (tenant_id, name) do nothing`,
      [tx.tenantId, newId<LogFollowerId>(), name],
    );
  }

  async end(tx: Tx, name: string): Promise<void> {
    await rowsOf(tx, logFollowerEntity).delete({ name });
  }

  async take(tx: Tx, id: LogFollowerId): Promise<FollowerAt | null> {
    // Not by a lock on the row: the sequencer writes into it, and would wait for the whole turn.
    const [turn] = await sqlOf(tx).query<{ mine: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('countersign.follower/' || $1, 0)) as mine`,
      [id],
    );
    if (turn?.mine !== true) return null;
    const row = await rowsOf(tx, logFollowerEntity).findOne({ id });
    return row && { id, name: row.name, place: { epoch: row.epoch, index: row.nextIndex } };
  }

  async after(tx: Tx, place: LogPlace, atMost: number): Promise<LogStretch> {
    const rows = await sqlOf(tx).query<EntryRow & { epoch: number; leaf_index: string; payload: string | null }>(
      `select leaf.epoch, leaf.leaf_index, entry.payload, ${ENTRY_COLUMNS}
         from (select * from audit_leaf where tenant_id = $1 and (epoch, leaf_index) >= ($2, $3)
                order by epoch, leaf_index limit $4) leaf
         join audit_entry entry on entry.tenant_id = $1 and entry.id = leaf.entry_id
        order by leaf.epoch, leaf.leaf_index`,
      [tx.tenantId, place.epoch, place.index, atMost],
    );
    const last = rows.at(-1);
    return {
      events: rows.map((row) => {
        const { id, occurredAt, level, action, actor, subject, within } = storedEntry(row);
        const payload = row.payload === null ? null : parseStrictJson(row.payload, 256);
        return { id, occurredAt, level: level as AuditLevel, action, actor, subject, within, payload };
      }),
      end: last === undefined ? place : { epoch: last.epoch, index: Number(last.leaf_index) + 1 },
    };
  }

  async move(tx: Tx, id: LogFollowerId, { epoch, index }: LogPlace): Promise<void> {
    await rowsOf(tx, logFollowerEntity).update({ id }, { epoch, nextIndex: index });
  }

  async postpone(tx: Tx, id: LogFollowerId, until: number): Promise<void> {
    await rowsOf(tx, logFollowerEntity).update({ id }, { notBefore: until });
  }

  async grown(
    tx: Tx,
    { epoch, size }: { readonly epoch: number; readonly size: number },
  ): Promise<readonly LogFollowerId[]> {
    const rows = await sqlOf(tx).query<{ id: LogFollowerId }>(
      'update log_follower set head_epoch = $2, head_size = $3 where tenant_id = $1 returning id',
      [tx.tenantId, epoch, size],
    );
    return rows.map(({ id }) => id);
  }
}
