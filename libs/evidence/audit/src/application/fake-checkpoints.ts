import type { TenantId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { CheckpointStore, SignedCheckpoint } from './audit.ports.js';
import type { FakeAuditKeys } from './fake-audit-keys.js';

/** Keeps epochs and their checkpoints in memory. */
export class FakeCheckpoints implements CheckpointStore {
  readonly #epochs: FakeTable<number>;
  readonly #rows: FakeTable<SignedCheckpoint>;
  readonly tenants = new Set<TenantId>();

  constructor(
    database: FakeUnitOfWork,
    private readonly keys: FakeAuditKeys,
  ) {
    this.#epochs = new FakeTable(database);
    this.#rows = new FakeTable(database);
  }

  // oxlint-disable-next-line typescript/require-await -- it rejects rather than throws
  async begin(tx: Tx, epoch: number): Promise<void> {
    if (this.#epochs.of(tx).has(String(epoch))) throw new FakeRefusal('23505', 'audit_epoch_pk');
    this.tenants.add(tx.tenantId);
    this.#epochs.of(tx).set(String(epoch), epoch);
  }

  async save(tx: Tx, checkpoint: Omit<SignedCheckpoint, 'publishedAt' | 'publishedElsewhere'>): Promise<void> {
    const { epoch, treeSize, keyName } = checkpoint;
    if (!this.#epochs.of(tx).has(String(epoch))) throw new FakeRefusal('23503', 'audit_checkpoint_epoch_fk');
    if (!(await this.keys.has(tx, keyName))) throw new FakeRefusal('23503', 'audit_checkpoint_key_fk');
    if (this.#rows.of(tx).has(keyOf(epoch, treeSize))) throw new FakeRefusal('23505', 'audit_checkpoint_pk');
    this.#rows.of(tx).set(keyOf(epoch, treeSize), { ...checkpoint, publishedAt: null, publishedElsewhere: false });
  }

  latest(tx: Tx, epoch = this.epochOf(tx) ?? 0): Promise<SignedCheckpoint | null> {
    return Promise.resolve(this.#largest(tx, epoch));
  }

  latestPublished(tx: Tx, epoch: number): Promise<SignedCheckpoint | null> {
    return Promise.resolve(this.#largest(tx, epoch, ({ publishedAt }) => publishedAt !== null));
  }

  ofSize(tx: Tx, epoch: number, treeSize: number): Promise<SignedCheckpoint | null> {
    return Promise.resolve(this.#rows.of(tx).get(keyOf(epoch, treeSize)) ?? null);
  }

  // oxlint-disable-next-line typescript/require-await -- it rejects rather than throws
  async markPublished(
    tx: Tx,
    { epoch, treeSize, elsewhere }: { epoch: number; treeSize: number; elsewhere: boolean },
    at: number,
  ): Promise<void> {
    const row = this.#rows.of(tx).get(keyOf(epoch, treeSize));
    if (row === undefined) throw new FakeRefusal('23503', 'audit_publication_checkpoint_fk');
    if (row.publishedAt !== null) return;
    this.#rows.of(tx).set(keyOf(epoch, treeSize), { ...row, publishedAt: at, publishedElsewhere: elsewhere });
  }

  /** The current epoch; null before the first. */
  epochOf(tx: Pick<Tx, 'tenantId'>): number | null {
    const epochs = [...this.#epochs.of(tx).values()];
    return epochs.length === 0 ? null : Math.max(...epochs);
  }

  sizeOf(tx: Pick<Tx, 'tenantId'>, epoch: number): number {
    return this.#largest(tx, epoch)?.treeSize ?? 0;
  }

  /** Whether the latest checkpoint of the current epoch is not published yet. */
  isBehind(tx: Pick<Tx, 'tenantId'>, signedBefore = Infinity): boolean {
    const epoch = this.epochOf(tx) ?? 0;
    const outside = this.#largest(tx, epoch, ({ publishedAt }) => publishedAt !== null)?.treeSize ?? 0;
    const isLate = ({ treeSize, signedAt }: SignedCheckpoint): boolean => treeSize > outside && signedAt < signedBefore;
    return this.#largest(tx, epoch, isLate) !== null;
  }

  #largest(
    tx: Pick<Tx, 'tenantId'>,
    epoch: number,
    wanted: (each: SignedCheckpoint) => boolean = () => true,
  ): SignedCheckpoint | null {
    const found = [...this.#rows.of(tx).values()].filter((each) => each.epoch === epoch && wanted(each));
    return found.sort((one, other) => other.treeSize - one.treeSize)[0] ?? null;
  }
}

const keyOf = (epoch: number, treeSize: number): string => `${String(epoch)}/${String(treeSize)}`;
