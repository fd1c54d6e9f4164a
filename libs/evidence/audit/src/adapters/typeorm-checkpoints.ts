import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { CheckpointStore, SignedCheckpoint } from '../application/audit.ports.js';

interface CheckpointRow {
  readonly epoch: number;
  readonly tree_size: string;
  readonly root_hash: Buffer;
  readonly note: string;
  readonly key_name: string;
  readonly signed_at: Date;
  readonly published_at: Date | null;
  readonly elsewhere: boolean | null;
}

const SELECT = `
  select checkpoint.epoch, checkpoint.tree_size, checkpoint.root_hash, checkpoint.note, checkpoint.key_name,
         checkpoint.signed_at, publication.published_at, publication.elsewhere
    from audit_checkpoint checkpoint
    left join audit_publication publication using (tenant_id, epoch, tree_size)`;

const signedCheckpoint = (row: CheckpointRow): SignedCheckpoint => ({
  epoch: row.epoch,
  treeSize: Number(row.tree_size),
  rootHash: row.root_hash,
  note: row.note,
  keyName: row.key_name,
  signedAt: row.signed_at.getTime(),
  publishedAt: row.published_at?.getTime() ?? null,
  publishedElsewhere: row.elsewhere ?? false,
});

/** Checkpoints in PostgreSQL. */
export class SqlCheckpoints implements CheckpointStore {
  save(tx: Tx, checkpoint: Omit<SignedCheckpoint, 'publishedAt' | 'publishedElsewhere'>): Promise<void> {
    sqlOf(tx).executeAhead(
      `insert into audit_checkpoint (tenant_id, epoch, tree_size, root_hash, note, key_name, signed_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        tx.tenantId,
        checkpoint.epoch,
        checkpoint.treeSize,
        Buffer.from(checkpoint.rootHash),
        checkpoint.note,
        checkpoint.keyName,
        new Date(checkpoint.signedAt),
      ],
    );
    return Promise.resolve();
  }

  async latest(tx: Tx, epoch?: number): Promise<SignedCheckpoint | null> {
    const [row] = await sqlOf(tx).query<CheckpointRow>(
      `${SELECT}
        where checkpoint.tenant_id = $1
          and checkpoint.epoch = coalesce($2::integer, (select max(epoch) from audit_epoch where tenant_id = $1))
        order by checkpoint.tree_size desc limit 1`,
      [tx.tenantId, epoch ?? null],
    );
    return row ? signedCheckpoint(row) : null;
  }

  async latestPublished(tx: Tx, epoch: number): Promise<SignedCheckpoint | null> {
    const [row] = await sqlOf(tx).query<CheckpointRow>(
      `${SELECT}
        where checkpoint.tenant_id = $1 and checkpoint.epoch = $2 and publication.published_at is not null
        order by publication.tree_size desc limit 1`,
      [tx.tenantId, epoch],
    );
    return row ? signedCheckpoint(row) : null;
  }

  async ofSize(tx: Tx, epoch: number, treeSize: number): Promise<SignedCheckpoint | null> {
    const [row] = await sqlOf(tx).query<CheckpointRow>(
      `${SELECT} where checkpoint.tenant_id = $1 and checkpoint.epoch = $2 and checkpoint.tree_size = $3`,
      [tx.tenantId, epoch, treeSize],
    );
    return row ? signedCheckpoint(row) : null;
  }

  async markPublished(
    tx: Tx,
    { epoch, treeSize, elsewhere }: { readonly epoch: number; readonly treeSize: number; readonly elsewhere: boolean },
    at: number,
  ): Promise<void> {
    await sqlOf(tx).query(
      `insert into audit_publication (tenant_id, epoch, tree_size, published_at, elsewhere) values ($1, $2, $3, $4, $5)
       on conflict on constraint audit_publication_pk do nothing`,
      [tx.tenantId, epoch, treeSize, new Date(at), elsewhere],
    );
  }
}
