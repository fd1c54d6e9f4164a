import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { CheckpointStore, SignedCheckpoint } from '../application/audit.ports.js';
import { auditCheckpointEntity, auditPublicationEntity } from './audit.entity.js';

const CHECKPOINT = auditCheckpointEntity.all;
const PUBLICATION = auditPublicationEntity.pick('publishedAt', 'elsewhere');

type Stored = RowOf<typeof auditCheckpointEntity> & {
  readonly publishedAt: number | null;
  readonly elsewhere: boolean | null;
};

const SELECT = `
  select ${CHECKPOINT.columns('checkpoint')}, ${PUBLICATION.columns('publication')}
    from audit_checkpoint checkpoint
    left join audit_publication publication using (tenant_id, epoch, tree_size)`;

function signedCheckpoint(stored: Stored): SignedCheckpoint {
  const { publishedAt, elsewhere, ...checkpoint } = PUBLICATION.row(CHECKPOINT.row(stored)) as Stored;
  return { ...checkpoint, publishedAt, publishedElsewhere: elsewhere ?? false };
}

/** Checkpoints in PostgreSQL. */
export class SqlCheckpoints implements CheckpointStore {
  save(tx: Tx, checkpoint: Omit<SignedCheckpoint, 'publishedAt' | 'publishedElsewhere'>): Promise<void> {
    sqlOf(tx).insertAhead(CHECKPOINT, checkpoint);
    return Promise.resolve();
  }

  async latest(tx: Tx, epoch?: number): Promise<SignedCheckpoint | null> {
    const [row] = await sqlOf(tx).query<Stored>(
      `${SELECT}
        where checkpoint.tenant_id = $1
          and checkpoint.epoch = coalesce($2::integer, (select max(epoch) from audit_epoch where tenant_id = $1))
        order by checkpoint.tree_size desc limit 1`,
      [tx.tenantId, epoch ?? null],
    );
    return row ? signedCheckpoint(row) : null;
  }

  async latestPublished(tx: Tx, epoch: number): Promise<SignedCheckpoint | null> {
    const [row] = await sqlOf(tx).query<Stored>(
      `${SELECT}
        where checkpoint.tenant_id = $1 and checkpoint.epoch = $2 and publication.published_at is not null
        order by publication.tree_size desc limit 1`,
      [tx.tenantId, epoch],
    );
    return row ? signedCheckpoint(row) : null;
  }

  async ofSize(tx: Tx, epoch: number, treeSize: number): Promise<SignedCheckpoint | null> {
    const [row] = await sqlOf(tx).query<Stored>(
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
    const publication = { epoch, treeSize, elsewhere, publishedAt: at };
    await rowsOf(tx, auditPublicationEntity).insertUnless(['epoch', 'treeSize'], publication);
  }
}
