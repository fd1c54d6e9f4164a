import { createHash } from 'node:crypto';
import { newId, type AuditEntryId, type LogProgress, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { LogFollowerId } from '../domain/ids.js';
import { sampleEntry } from './fake-audit-entry.js';
import type {
  AuditBacklog,
  AuditEntryReader,
  AuditEntryWriter,
  AuditKeyHistory,
  AuditTreeStore,
  CheckpointStore,
  PayloadRetention,
  PendingEntry,
} from './audit.ports.js';
import type { LogFollowers } from './log-followers.port.js';

/** The ports that keep the log, over one database. */
export interface AuditStore {
  readonly uow: UnitOfWork;
  readonly entries: AuditEntryWriter &
    Pick<AuditEntryReader, 'find' | 'payloads' | 'payloadBytes' | 'forPack' | 'following'>;
  readonly tree: AuditTreeStore;
  readonly checkpoints: CheckpointStore;
  readonly keys: AuditKeyHistory;
  readonly retention: PayloadRetention;
  readonly backlog: AuditBacklog;
  readonly followers: LogFollowers;
  readonly progress: LogProgress;
  /** The followers of a tenant that are due. */
  due(tenantId: TenantId): Promise<readonly LogFollowerId[]>;
  /** Makes an entry this many days older. */
  age(tenantId: TenantId, id: AuditEntryId, days: number): Promise<void>;
  blocked: ContractWorld['blocked'];
  close(): Promise<void>;
}

/** A tenant of a test's own, with the work that several contracts share. */
export function tenantOf(store: AuditStore) {
  const tenantId = newId<TenantId>();
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => store.uow.run(tenantId, work);
  const recordedOne = async (more: Parameters<typeof sampleEntry>[0] = {}): Promise<AuditEntryId> => {
    const entry = sampleEntry(more);
    await inTx((tx) => store.entries.insert(tx, entry));
    return entry.id;
  };
  return {
    tenantId,
    inTx,
    recordedOne,
    /** Writes entries, each in a transaction of its own. */
    recorded: async (count: number): Promise<AuditEntryId[]> => {
      const ids: AuditEntryId[] = [];
      while (ids.length < count) ids.push(await recordedOne());
      return ids;
    },
    pending: (limit = 10, found?: readonly AuditEntryId[]) => inTx((tx) => store.tree.pending(tx, limit, found)),
    /** Gives these entries a leaf each, from this index on. */
    appended: (epoch: number, from: number, pending: readonly PendingEntry[]): Promise<void> =>
      inTx((tx) =>
        store.tree.append(
          tx,
          epoch,
          pending.map(({ entry }, offset) => ({ index: from + offset, entryId: entry.id, hash: hashOf(entry.id) })),
          [],
          pending.map(({ entryNumber }) => entryNumber),
        ),
      ),
    epoch: (epoch: number): Promise<void> => inTx((tx) => store.tree.startEpoch(tx, epoch, 1_000, 'for a test')),
    key: (name: string, validFrom = 1_000): Promise<void> =>
      inTx((tx) => store.keys.add(tx, { name, publicKey: hashOf(name) }, validFrom)),
    checkpoint: (epoch: number, treeSize: number, keyName: string): Promise<void> =>
      inTx((tx) => store.checkpoints.save(tx, checkpointOf(epoch, treeSize, keyName))),
  };
}

export const checkpointOf = (epoch: number, treeSize: number, keyName: string) => ({
  epoch,
  treeSize,
  rootHash: hashOf(`${String(epoch)}/${String(treeSize)}`),
  note: `note of ${String(treeSize)}`,
  keyName,
  signedAt: 5_000 + treeSize,
});

/** Any 32 bytes that belong to a text. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
