import type { AuditEntryId, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import { entryLeafBytes, formatCheckpoint, originOf, signNote, type NoteSigner } from '#lib/verifier';
import { headerOf } from '../domain/audit-entry.js';
import { coverOf, grow } from '../domain/merkle-tree.js';
import type {
  AuditKeyHistory,
  AuditTreeStore,
  CheckpointStore,
  PendingEntry,
  SigningKeyStore,
  TreeHead,
} from './audit.ports.js';
import { currentSigner } from './current-signer.js';
import type { LogFollowers } from './log-followers.port.js';
import { nativeNodeHash, nativeSha256 } from './native-sha256.js';

/** Entries given a leaf in one transaction. */
const BATCH = 1_000;

export interface SequencingResult {
  readonly sequenced: number;
  /** Whether entries may still be waiting. */
  readonly more: boolean;
}

/**
 * Gives every visible entry that has none yet its leaf, in order, and signs a checkpoint over the grown tree. All of it
 * is one transaction, one at a time for each tenant. The readers that follow the log hear of it. A late commit is found
 * by its transaction, which the cursor's snapshot did not see (T29).
 */
export class SequenceAudit {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tree: AuditTreeStore,
    private readonly checkpoints: CheckpointStore,
    private readonly keys: AuditKeyHistory,
    private readonly keyStore: SigningKeyStore,
    private readonly followers: Pick<LogFollowers, 'grown'>,
  ) {}

  /**
   * @param found entries that a look found without a leaf; without it they are sought.
   * @throws if this process lacks the tenant's signing key; entries wait until it is there.
   */
  async execute(tenantId: TenantId, found?: readonly AuditEntryId[]): Promise<SequencingResult> {
    try {
      return await this.#sequence(tenantId, found);
    } catch (error) {
      await this.uow.run(tenantId, (tx) => this.tree.setAside(tx));
      throw error;
    }
  }

  #sequence(tenantId: TenantId, found?: readonly AuditEntryId[]): Promise<SequencingResult> {
    return this.uow.run(tenantId, async (tx) => {
      await this.tree.lock(tx);
      const pending = await this.tree.pending(tx, BATCH, found);
      if (pending.length === 0) return { sequenced: 0, more: false };
      const now = await tx.now();
      const signer = await currentSigner(tx, this.keys, this.keyStore, now);
      await this.#append(tx, pending, signer, now);
      const more = pending.length === BATCH;
      // A long backlog is searched once. Its entries are set aside, and taken in parts from there.
      if (more) await this.tree.setAside(tx);
      return { sequenced: pending.length, more };
    });
  }

  async #append(tx: Tx, pending: readonly PendingEntry[], signer: NoteSigner, now: number): Promise<void> {
    const { epoch, size } = (await this.tree.head(tx)) ?? (await this.#firstEpoch(tx, now));
    const leaves = pending.map(({ entry }, offset) => ({
      index: size + offset,
      entryId: entry.id,
      hash: nativeSha256(entryLeafBytes(headerOf(entry))),
    }));
    const cover = await this.tree.nodes(tx, epoch, coverOf({ start: 0, end: size }));
    const hashes = leaves.map(({ hash }) => hash);
    const growth = grow(size, cover, hashes, nativeNodeHash);
    const entryNumbers = pending.map(({ entryNumber }) => entryNumber);
    await this.tree.append(tx, epoch, leaves, growth.nodes, entryNumbers);
    const text = formatCheckpoint({
      origin: originOf(tx.tenantId, epoch),
      treeSize: growth.size,
      rootHash: growth.root,
    });
    await this.checkpoints.save(tx, {
      epoch,
      treeSize: growth.size,
      rootHash: growth.root,
      note: signNote(text, signer),
      keyName: signer.name,
      signedAt: now,
    });
    await this.followers.grown(tx, { epoch, size: growth.size });
  }

  async #firstEpoch(tx: Tx, now: number): Promise<TreeHead> {
    await this.tree.startEpoch(tx, 1, now, 'The log begins.');
    return { epoch: 1, size: 0 };
  }
}
