import { enqueueReturned, rowsOf, sqlOf } from '#lib/database';
import { newId, type AuditEntryId, type Tx } from '#lib/kernel';
import { FULL_TURN } from '../application/follow-log.js';
import type {
  FollowerAt,
  LogFollowers,
  LogPosition,
  LogStretch,
  StretchLimits,
} from '../application/log-followers.port.js';
import type { LogFollowerId } from '../domain/ids.js';
import { momentIn, monthOf } from '../domain/months-between.js';
import { auditEntryEntity, auditEpochEntity, auditLeafEntity, logFollowerEntity } from './audit.entity.js';
import { refuse } from './sql-months-away.js';
import { HEADER, storedEntry, storedPayload } from './sql-audit-entries.js';

const AUDIT_EPOCH = auditEpochEntity.as('audit_epoch');
const AUDIT_LEAF = auditLeafEntity.as('audit_leaf');
const COLUMN = logFollowerEntity.column;
const LOG_FOLLOWER = logFollowerEntity.as('log_follower');
const ENTRY = auditEntryEntity.as('entry');

const FOLLOWER = logFollowerEntity.all;
const LEAF = auditLeafEntity.without('leafHash');

interface StretchRow {
  /** Null if the entry is not there. */
  readonly id: AuditEntryId | null;
  readonly entryId: AuditEntryId;
  readonly payload: string | null;
  readonly found: string;
}

/** Followers of the log in PostgreSQL. */
export class SqlLogFollowers implements LogFollowers {
  async begin(tx: Tx, name: string): Promise<void> {
    await sqlOf(tx).query(
      `insert into ${FOLLOWER.into}
       select $1, $2, $3, tree.epoch, tree.size, tree.epoch, tree.size, statement_timestamp(), statement_timestamp(), 0, $4::integer, false
         from (select coalesce(max(${AUDIT_EPOCH.epoch}), 1) as epoch from audit_epoch where tenant_id = $1) latest
         cross join lateral (
           select latest.epoch, coalesce(max(${AUDIT_LEAF.leafIndex}) + 1, 0) as size
             from audit_leaf where tenant_id = $1 and ${AUDIT_LEAF.epoch} = latest.epoch) tree
       on conflict (tenant_id, ${COLUMN.name}) do nothing`,
      [tx.tenantId, newId<LogFollowerId>(), name, FULL_TURN],
    );
  }

  async beginExport(tx: Tx, name: string): Promise<LogFollowerId> {
    const [row] = await sqlOf(tx).query<{ id: LogFollowerId }>(
      `with begun as (
         insert into ${FOLLOWER.into}
         select $1, $2, $3, 1, 0, latest.epoch, tree.size, statement_timestamp(), statement_timestamp(), 0, $4::integer, true
           from (select coalesce(max(${AUDIT_EPOCH.epoch}), 1) as epoch from audit_epoch where tenant_id = $1) latest
           cross join lateral (
             select coalesce(max(${AUDIT_LEAF.leafIndex}) + 1, 0) as size
               from audit_leaf where tenant_id = $1 and ${AUDIT_LEAF.epoch} = latest.epoch) tree
         on conflict (tenant_id, ${COLUMN.name}) do nothing returning ${COLUMN.id})
       select id from begun union all select ${LOG_FOLLOWER.id} from log_follower where tenant_id = $1 and ${LOG_FOLLOWER.name} = $3`,
      [tx.tenantId, newId<LogFollowerId>(), name, FULL_TURN],
    );
    if (row === undefined) throw new Error(`Another transaction makes the exporter ${name}.`);
    return row.id;
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
    if (row === null) return null;
    const { name, epoch, nextIndex: index, atOnce, notBefore } = row;
    return { id, name, position: { epoch, index }, atOnce, notBefore };
  }

  async after(tx: Tx, position: LogPosition, atMost: StretchLimits): Promise<LogStretch> {
    const rows = await sqlOf(tx).query<StretchRow>(
      `select * from (
         select ${LEAF.columns('leaf')}, ${ENTRY.payload} as payload, ${HEADER.columns('entry')}, count(*) over () as found,
                row_number() over ordered as nth, sum(octet_length(${ENTRY.payload})) over ordered as bytes
           from (select * from audit_leaf where tenant_id = $1 and (${AUDIT_LEAF.epoch}, ${AUDIT_LEAF.leafIndex}) >= ($2, $3)
                  order by ${AUDIT_LEAF.epoch}, ${AUDIT_LEAF.leafIndex} limit $4) leaf
           left join audit_entry entry on entry.tenant_id = $1 and ${ENTRY.id} = leaf.entry_id
         window ordered as (order by leaf.epoch, leaf.leaf_index)) stretch
        where nth = 1 or coalesce(bytes, 0) <= $5
        order by epoch, "leafIndex"`,
      [tx.tenantId, position.epoch, position.index, atMost.entries, atMost.bytes],
    );
    const away = rows.find(({ id }) => id === null);
    // Passed over, it would never be told.
    if (away !== undefined) refuse(monthOf(momentIn(away.entryId)));
    const found = Number(rows[0]?.found ?? 0);
    const last = rows.at(-1);
    const lastLeaf = last && LEAF.row(last);
    return {
      events: rows.map((row) => {
        const header = HEADER.row({ ...row, id: row.entryId });
        const { id, occurredAt, level, action, actor, subject, within } = storedEntry(tx, header);
        const payload = row.payload === null ? null : storedPayload(id, row.payload);
        return { id, occurredAt, level, action, actor, subject, within, payload };
      }),
      end: lastLeaf === undefined ? position : { epoch: lastLeaf.epoch, index: lastLeaf.leafIndex + 1 },
      more: found === atMost.entries || rows.length < found,
    };
  }

  async move(tx: Tx, id: LogFollowerId, { epoch, index }: LogPosition, atOnce: number): Promise<void> {
    await rowsOf(tx, logFollowerEntity).update({ id }, { epoch, nextIndex: index, failures: 0, atOnce });
  }

  async failed(tx: Tx, id: LogFollowerId): Promise<number> {
    const [row] = await sqlOf(tx).query<{ failures: number }>(
      `update log_follower set ${COLUMN.failures} = ${LOG_FOLLOWER.failures} + 1, ${COLUMN.atOnce} = 1 where tenant_id = $1
         and ${LOG_FOLLOWER.id} = $2 returning ${LOG_FOLLOWER.failures}`,
      [tx.tenantId, id],
    );
    return row?.failures ?? 0;
  }

  async postpone(tx: Tx, id: LogFollowerId, until: number): Promise<void> {
    await rowsOf(tx, logFollowerEntity).update({ id }, { notBefore: until });
  }

  grown(tx: Tx, { epoch, size }: { readonly epoch: number; readonly size: number }): Promise<void> {
    enqueueReturned(
      tx,
      'log.follow',
      `update log_follower
          set ${COLUMN.headEpoch} = $2, ${COLUMN.headSize} = $3,
              ${COLUMN.behindSince} = case when row (${LOG_FOLLOWER.epoch}, ${LOG_FOLLOWER.nextIndex}) < row (${LOG_FOLLOWER.headEpoch},
                ${LOG_FOLLOWER.headSize})
                                  then ${LOG_FOLLOWER.behindSince} else clock_timestamp() end
        where tenant_id = $1 returning case when not ${LOG_FOLLOWER.byLoop} then ${LOG_FOLLOWER.id} end as id`,
      [tx.tenantId, epoch, size],
    );
    return Promise.resolve();
  }
}
