import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { CheckpointStore, SignedCheckpoint } from '../application/audit.ports.js';
import { auditCheckpointEntity, auditEpochEntity, auditPublicationEntity } from './audit.entity.js';

const CHECKPOINT = auditCheckpointEntity.as('checkpoint');
const COLUMN = auditCheckpointEntity.column;
const AUDIT_EPOCH = auditEpochEntity.as('audit_epoch');
const PUBLICATION = auditPublicationEntity.as('publication');

const CHECKPOINT_ROW = auditCheckpointEntity.all;
const PUBLICATION_ROW = auditPublicationEntity.pick('publishedAt', 'elsewhere');

type Stored = RowOf<typeof auditCheckpointEntity> & {
  readonly publishedAt: number | null;
  readonly elsewhere: boolean | null;
};

const SELECT = `
  select ${CHECKPOINT_ROW.columns('checkpoint')}, ${PUBLICATION_ROW.columns('publication')}
    from audit_checkpoint checkpoint
    left join audit_publication publication using (tenant_id, ${COLUMN.epoch}, ${COLUMN.treeSize})`;

function signedCheckpoint(stored: Stored): SignedCheckpoint {
  // The join gives a checkpoint without a publication nulls.
  const { publishedAt, elsewhere, ...checkpoint } = PUBLICATION_ROW.row(CHECKPOINT_ROW.row(stored)) as Stored;
  return { ...checkpoint, publishedAt, publishedElsewhere: elsewhere ?? false };
}

/** Checkpoints in PostgreSQL. */
export class SqlCheckpoints implements CheckpointStore {
  save(tx: Tx, checkpoint: Omit<SignedCheckpoint, 'publishedAt' | 'publishedElsewhere'>): Promise<void> {
    sqlOf(tx).insertAhead(CHECKPOINT_ROW, checkpoint);
    return Promise.resolve();
  }

  async latest(tx: Tx, epoch?: number): Promise<SignedCheckpoint | null> {
    const [row] = await sqlOf(tx).query<Stored>(
      `${SELECT}
        where checkpoint.tenant_id = $1
          and ${CHECKPOINT.epoch} = coalesce($2::integer, (select max(${AUDIT_EPOCH.epoch}) from audit_epoch where tenant_id = $1))
        order by ${CHECKPOINT.treeSize} desc limit 1`,
      [tx.tenantId, epoch ?? null],
    );
    return row ? signedCheckpoint(row) : null;
  }

  async latestPublished(tx: Tx, epoch: number): Promise<SignedCheckpoint | null> {
    const [row] = await sqlOf(tx).query<Stored>(
      `${SELECT}
        where checkpoint.tenant_id = $1 and ${CHECKPOINT.epoch} = $2 and ${PUBLICATION.publishedAt} is not null
        order by ${PUBLICATION.treeSize} desc limit 1`,
      [tx.tenantId, epoch],
    );
    return row ? signedCheckpoint(row) : null;
  }

  async ofSize(tx: Tx, epoch: number, treeSize: number): Promise<SignedCheckpoint | null> {
    const [row] = await sqlOf(tx).query<Stored>(
      `${SELECT} where checkpoint.tenant_id = $1 and ${CHECKPOINT.epoch} = $2 and ${CHECKPOINT.treeSize} = $3`,
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
