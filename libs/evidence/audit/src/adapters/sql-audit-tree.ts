import { Any } from 'typeorm';
import { lockNameAhead, rowsOf, sqlOf } from '#lib/database';
import type { AuditEntryId, Tx } from '#lib/kernel';
import type { AuditTreeStore, Leaf, PendingEntry, TreeHead } from '../application/audit.ports.js';
import type { NodeAt, TreeNode } from '../domain/merkle-tree.js';
import {
  auditCheckpointEntity,
  auditEntryEntity,
  auditEpochEntity,
  auditLeafEntity,
  auditNodeEntity,
} from './audit.entity.js';
import { HEADER, storedEntry } from './sql-audit-entries.js';

const CHECKPOINT = auditCheckpointEntity.as('checkpoint');
const AUDIT_EPOCH = auditEpochEntity.as('audit_epoch');
const AUDIT_ENTRY = auditEntryEntity.as('audit_entry');
const LEAF = auditLeafEntity.as('leaf');
const AUDIT_LEAF = auditLeafEntity.as('audit_leaf');
const AUDIT_NODE = auditNodeEntity.as('audit_node');

const LEAF_ROW = auditLeafEntity.all;
const NODE = auditNodeEntity.all;

const APPEND = `
  with leaf as (
     insert into ${LEAF_ROW.into}
     select $1, $2, added.* from unnest($3::bigint[], $4::uuid[], $5::bytea[]) added
   ), node as (
     insert into ${NODE.into}
     select $1, $2, added.* from unnest($6::integer[], $7::bigint[], $8::bytea[]) added
   )
   delete from audit_pending where tenant_id = $1 and entry_number = any($9::bigint[])`;

/** The tenant's Merkle trees in PostgreSQL. */
export class SqlAuditTree implements AuditTreeStore {
  lock(tx: Tx): Promise<void> {
    lockNameAhead(tx, `countersign.audit/${tx.tenantId}`);
    return Promise.resolve();
  }

  async head(tx: Tx): Promise<TreeHead | null> {
    const [row] = await sqlOf(tx).query<{ epoch: number; size: string }>(
      `select latest.epoch, coalesce((select max(${CHECKPOINT.treeSize}) from audit_checkpoint checkpoint
                                       where checkpoint.tenant_id = $1 and ${CHECKPOINT.epoch} = latest.epoch), 0) as size
         from (select ${AUDIT_EPOCH.epoch} as epoch from audit_epoch where tenant_id = $1 order by ${AUDIT_EPOCH.epoch} desc limit 1) latest`,
      [tx.tenantId],
    );
    return row ? { epoch: row.epoch, size: Number(row.size) } : null;
  }

  async startEpoch(tx: Tx, epoch: number, startedAt: number, reason: string): Promise<void> {
    await rowsOf(tx, auditEpochEntity).insert({ epoch, startedAt, reason });
  }

  async pending(tx: Tx, limit: number, found?: readonly AuditEntryId[]): Promise<readonly PendingEntry[]> {
    // Each by its key: a join would read the tenant's log or its leaves if the planner expects few. The leaf is looked
    // for under the tree's lock: another process may have added it since.
    const rows = await sqlOf(tx).query<{ entryNumber: string }>(
      `select entry.entry_number as "entryNumber", ${HEADER.columns('entry')}
         from (select distinct unnest(
                 coalesce($3::uuid[], array(select id from audit_unsequenced($2)))
                 || array(select pending.entry_id from audit_pending pending where tenant_id = $1 order by entry_number limit $2))) wanted (id)
        cross join lateral (select * from audit_entry where tenant_id = $1 and ${AUDIT_ENTRY.id} = wanted.id offset 0) entry
        where not exists (
          select from audit_leaf leaf where leaf.tenant_id = $1 and ${LEAF.entryId} = entry.id offset 0)
        order by entry.entry_number limit $2`,
      [tx.tenantId, limit, found ?? null],
    );
    return rows.map(({ entryNumber, ...row }) => ({ entry: storedEntry(tx, HEADER.row(row)), entryNumber }));
  }

  async setAside(tx: Tx): Promise<void> {
    await sqlOf(tx).query(
      `insert into audit_pending (tenant_id, entry_number, entry_id)
       select $1, due.entry_number, due.id from audit_unsequenced(null) due on conflict do nothing`,
      [tx.tenantId],
    );
  }

  async nodes(tx: Tx, epoch: number, at: readonly NodeAt[]): Promise<readonly TreeNode[]> {
    if (at.length === 0) return [];
    // Each by its key: a join would read the whole tree if the planner takes it for small.
    const rows = await sqlOf(tx).query<{ level: number; index: string; hash: Buffer | null }>(
      `select wanted.level, wanted.index, case when wanted.level = 0
                then (select ${AUDIT_LEAF.leafHash} from audit_leaf
                       where tenant_id = $1 and ${AUDIT_LEAF.epoch} = $2 and ${AUDIT_LEAF.leafIndex} = wanted.index)
                else (select ${AUDIT_NODE.hash} from audit_node
                       where tenant_id = $1 and ${AUDIT_NODE.epoch} = $2 and ${AUDIT_NODE.level} = wanted.level
                         and ${AUDIT_NODE.nodeIndex} = wanted.index)
              end as hash
         from unnest($3::integer[], $4::bigint[]) with ordinality as wanted (level, index, number)
        order by wanted.number`,
      [tx.tenantId, epoch, at.map(({ level }) => level), at.map(({ index }) => index)],
    );
    return rows.map(({ level, index, hash }) => {
      if (hash === null) {
        throw new Error(
          `The audit tree of epoch ${String(epoch)} has lost nodes: rows of audit_leaf or audit_node are missing.`,
        );
      }
      return { level, index: Number(index), hash };
    });
  }

  append(
    tx: Tx,
    epoch: number,
    leaves: readonly Leaf[],
    nodes: readonly TreeNode[],
    entryNumbers: readonly string[],
  ): Promise<void> {
    sqlOf(tx).executeAhead(APPEND, [
      tx.tenantId,
      epoch,
      leaves.map(({ index }) => index),
      leaves.map(({ entryId }) => entryId),
      leaves.map(({ hash }) => Buffer.from(hash)),
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
      nodes.map(({ hash }) => Buffer.from(hash)),
      entryNumbers,
    ]);
    return Promise.resolve();
  }

  async leavesOf(
    tx: Tx,
    ids: readonly AuditEntryId[],
  ): Promise<ReadonlyMap<AuditEntryId, { readonly epoch: number; readonly index: number }>> {
    const rows = await rowsOf(tx, auditLeafEntity).find(
      { entryId: Any(ids) },
      { only: ['entryId', 'epoch', 'leafIndex'] },
    );
    return new Map(rows.map(({ entryId, epoch, leafIndex: index }) => [entryId, { epoch, index }]));
  }
}
