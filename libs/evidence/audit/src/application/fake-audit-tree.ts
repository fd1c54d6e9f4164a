import type { AuditEntryId, TenantId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { NodeAt, TreeNode } from '../domain/merkle-tree.js';
import type { AuditBacklog, AuditTreeStore, Leaf, PendingEntry, TreeHead, UnsequencedEntries } from './audit.ports.js';
import type { FakeAuditEntries } from './fake-audit-entries.js';
import type { FakeCheckpoints } from './fake-checkpoints.js';

/** Keeps the trees of tenants in memory. */
export class FakeAuditTree implements AuditTreeStore {
  /** By epoch, level and index, leaves included. */
  readonly #nodes: FakeTable<TreeNode>;
  /** By entry. */
  readonly #leaves: FakeTable<{ readonly epoch: number; readonly index: number }>;
  /** By the number of an entry. */
  readonly #aside: FakeTable<AuditEntryId>;

  constructor(
    database: FakeUnitOfWork,
    private readonly entries: FakeAuditEntries,
    private readonly checkpoints: FakeCheckpoints,
  ) {
    this.#nodes = new FakeTable(database);
    this.#leaves = new FakeTable(database);
    this.#aside = new FakeTable(database);
  }

  lock(): Promise<void> {
    return Promise.resolve();
  }

  head(tx: Tx): Promise<TreeHead | null> {
    const epoch = this.checkpoints.epochOf(tx);
    return Promise.resolve(epoch === null ? null : { epoch, size: this.checkpoints.sizeOf(tx, epoch) });
  }

  startEpoch(tx: Tx, epoch: number): Promise<void> {
    return this.checkpoints.begin(tx, epoch);
  }

  pending(tx: Tx, limit: number, found?: readonly AuditEntryId[]): Promise<readonly PendingEntry[]> {
    const aside = new Set(this.#aside.of(tx).values());
    const sought = found === undefined ? null : new Set(found);
    const waiting = this.#waiting(tx).filter(
      ({ entry }) => aside.has(entry.id) || sought === null || sought.has(entry.id),
    );
    return Promise.resolve(waiting.slice(0, limit));
  }

  setAside(tx: Tx): Promise<void> {
    for (const { entry, entryNumber } of this.#waiting(tx)) this.#aside.of(tx).set(entryNumber, entry.id);
    return Promise.resolve();
  }

  // oxlint-disable-next-line typescript/require-await -- it rejects rather than throws
  async nodes(tx: Tx, epoch: number, at: readonly NodeAt[]): Promise<readonly TreeNode[]> {
    return at.map((each) => {
      const node = this.#nodes.of(tx).get(keyOf(epoch, each));
      if (node === undefined) throw new Error(`The audit tree of epoch ${String(epoch)} has lost nodes.`);
      return node;
    });
  }

  // oxlint-disable-next-line typescript/require-await -- it rejects rather than throws
  async append(
    tx: Tx,
    epoch: number,
    leaves: readonly Leaf[],
    nodes: readonly TreeNode[],
    entryNumbers: readonly string[],
  ): Promise<void> {
    for (const { index, entryId, hash } of leaves) {
      if (this.#leaves.of(tx).has(entryId)) throw new FakeRefusal('23505', 'audit_leaf_entry_key');
      this.#leaves.of(tx).set(entryId, { epoch, index });
      this.#add(tx, epoch, { level: 0, index, hash });
    }
    for (const node of nodes) this.#add(tx, epoch, node);
    for (const entryNumber of entryNumbers) this.#aside.of(tx).delete(entryNumber);
  }

  leavesOf(tx: Tx, ids: readonly AuditEntryId[]) {
    const found = ids.flatMap((id): [AuditEntryId, { epoch: number; index: number }][] => {
      const leaf = this.#leaves.of(tx).get(id);
      return leaf ? [[id, leaf]] : [];
    });
    return Promise.resolve(new Map(found));
  }

  /** The leaves of all trees, in order. */
  leaves(
    tx: Pick<Tx, 'tenantId'>,
  ): readonly { readonly id: AuditEntryId; readonly epoch: number; readonly index: number }[] {
    const all = [...this.#leaves.of(tx)].map(([id, leaf]) => ({ id: id as AuditEntryId, ...leaf }));
    return all.sort((one, other) => one.epoch - other.epoch || one.index - other.index);
  }

  /** The entries of a tenant that a look names: those without a leaf, of those set aside the oldest. */
  unsequencedOf(tenantId: TenantId): readonly AuditEntryId[] {
    const aside = new Set(this.#aside.of({ tenantId }).values());
    const waiting = this.#waiting({ tenantId }).map(({ entry }) => entry.id);
    const oldest = waiting.find((id) => aside.has(id));
    return waiting.filter((id) => id === oldest || !aside.has(id));
  }

  #waiting(tx: Pick<Tx, 'tenantId'>): readonly PendingEntry[] {
    return this.entries
      .of(tx)
      .filter(({ entry }) => !this.#leaves.of(tx).has(entry.id))
      .map(({ entry, number }) => ({ entry, entryNumber: String(number) }));
  }

  #add(tx: Tx, epoch: number, node: TreeNode): void {
    const key = keyOf(epoch, node);
    if (this.#nodes.of(tx).has(key)) throw new FakeRefusal('23505', 'audit_node_pk');
    this.#nodes.of(tx).set(key, node);
  }
}

const keyOf = (epoch: number, { level, index }: NodeAt): string => [epoch, level, index].join('/');

/** Finds the work of all tenants in memory. */
export class FakeAuditBacklog implements AuditBacklog {
  constructor(
    private readonly entries: FakeAuditEntries,
    private readonly tree: FakeAuditTree,
    private readonly checkpoints: FakeCheckpoints,
    private readonly exports: (tenantId: TenantId, exporter: string) => boolean,
  ) {}

  unsequenced(): Promise<readonly UnsequencedEntries[]> {
    const all = [...this.entries.tenants].map((tenantId) => ({ tenantId, entries: this.tree.unsequencedOf(tenantId) }));
    return Promise.resolve(all.filter(({ entries }) => entries.length > 0));
  }

  settle(): Promise<void> {
    return Promise.resolve();
  }

  unpublished(signedBefore?: number): Promise<readonly TenantId[]> {
    const { checkpoints } = this;
    return Promise.resolve(
      [...checkpoints.tenants].filter((id) => checkpoints.isBehind({ tenantId: id }, signedBefore)),
    );
  }

  unexported(exporter: string): Promise<readonly TenantId[]> {
    return Promise.resolve([...this.entries.tenants].filter((tenantId) => this.exports(tenantId, exporter)));
  }
}
