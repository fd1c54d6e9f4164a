import type { Json } from '#lib/canonical';
import {
  err,
  notFound,
  ok,
  type AuditEntryId,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { headerOf, type StoredEntry, type StoredHeader } from '../domain/audit-entry.js';
import { consistencyRanges, coverOf, foldCover, inclusionRanges, type LeafRange } from '../domain/merkle-tree.js';
import type {
  AuditEntryReader,
  AuditTreeStore,
  CheckpointStore,
  EntryCursor,
  EntryFilter,
  SignedCheckpoint,
} from './audit.ports.js';

/** An entry as it is shown; `payload` is undefined once it was erased under the retention rule. */
export interface AuditEntryView {
  readonly header: StoredHeader;
  readonly payload: Json | undefined;
}

export interface AuditEntryPage {
  readonly entries: readonly AuditEntryView[];
  /** The beginning of the next page; null at the end. */
  readonly next: EntryCursor | null;
}

/** The place of an entry in the log, and the proof against a signed checkpoint. */
export interface EntryProof {
  readonly epoch: number;
  readonly leafIndex: number;
  readonly checkpoint: SignedCheckpoint;
  /** Hashes from the leaf to the root (RFC 6962 section 2.1.1). */
  readonly inclusion: readonly Uint8Array[];
}

export interface ProvenEntry extends AuditEntryView {
  /** Salt of the payload's digest; undefined once erased. */
  readonly salt: Uint8Array | undefined;
  /** Null for the moment until the entry is sequenced. */
  readonly proof: EntryProof | null;
}

/** Hashes of any ranges of one tree, with one read of O(log n) nodes for each range. */
export async function rangeHashes(
  tx: Tx,
  tree: AuditTreeStore,
  epoch: number,
  ranges: readonly LeafRange[],
): Promise<Uint8Array[]> {
  const covers = ranges.map(coverOf);
  const nodes = await tree.nodes(tx, epoch, covers.flat());
  let at = 0;
  return covers.map((cover) => foldCover(nodes.slice(at, (at += cover.length)).map(({ hash }) => hash)));
}

/** Lists entries by time, actor, subject, action, task or plan, newest first. */
export class ListAuditEntries {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly entries: AuditEntryReader,
  ) {}

  async execute(
    tenantId: TenantId,
    filter: EntryFilter,
    page: { readonly limit: number; readonly after?: EntryCursor },
  ): Promise<AuditEntryPage> {
    return this.uow.run(tenantId, async (tx) => {
      const found = await this.entries.list(tx, filter, page.limit + 1, page.after);
      const shown = found.slice(0, page.limit);
      const payloads = await this.entries.payloads(
        tx,
        shown.map(({ id }) => id),
      );
      const last: StoredEntry | undefined = found.length > page.limit ? shown.at(-1) : undefined;
      return {
        entries: shown.map((entry) => ({ header: headerOf(entry), payload: payloads.get(entry.id)?.payload })),
        next: last ? { occurredAt: last.occurredAt, id: last.id } : null,
      };
    });
  }
}

/** The actions that the log holds entries of, to choose from. */
export class ListAuditActions {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly entries: Pick<AuditEntryReader, 'actions'>,
  ) {}

  execute(tenantId: TenantId): Promise<readonly string[]> {
    return this.uow.run(tenantId, (tx) => this.entries.actions(tx));
  }
}

/** One entry, with the proof that the log holds it. */
export class GetAuditEntry {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly entries: Pick<AuditEntryReader, 'find' | 'payloads'>,
    private readonly tree: AuditTreeStore,
    private readonly checkpoints: CheckpointStore,
  ) {}

  async execute(tenantId: TenantId, id: AuditEntryId): Promise<Result<ProvenEntry>> {
    return this.uow.run(tenantId, async (tx) => {
      const entry = await this.entries.find(tx, id);
      if (entry === null) return err(notFound('audit entry'));
      const payload = (await this.entries.payloads(tx, [id])).get(id);
      return ok({
        header: headerOf(entry),
        payload: payload?.payload,
        salt: payload?.salt,
        proof: await this.#proofOf(tx, id),
      });
    });
  }

  async #proofOf(tx: Tx, id: AuditEntryId): Promise<EntryProof | null> {
    const leaf = (await this.tree.leavesOf(tx, [id])).get(id);
    const checkpoint = leaf === undefined ? null : await this.checkpoints.latest(tx, leaf.epoch);
    if (leaf === undefined || checkpoint === null) return null;
    const inclusion = await rangeHashes(tx, this.tree, leaf.epoch, inclusionRanges(leaf.index, checkpoint.treeSize));
    return { epoch: leaf.epoch, leafIndex: leaf.index, checkpoint, inclusion };
  }
}

/** The latest signed checkpoint of the current epoch. */
export class GetLatestCheckpoint {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly checkpoints: CheckpointStore,
  ) {}

  async execute(tenantId: TenantId): Promise<Result<SignedCheckpoint>> {
    const checkpoint = await this.uow.run(tenantId, (tx) => this.checkpoints.latest(tx));
    return checkpoint === null ? err(notFound('checkpoint')) : ok(checkpoint);
  }
}

export interface ConsistencyQuery {
  readonly epoch: number;
  /** Leaves of the smaller tree, at least 1. */
  readonly first: number;
  /** Leaves of the larger tree; the latest checkpoint's if it is left out. */
  readonly second?: number;
}

/** Proves that the log only grew between two sizes (RFC 6962 section 2.1.2). */
export class GetConsistencyProof {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tree: AuditTreeStore,
    private readonly checkpoints: CheckpointStore,
  ) {}

  /** Fails with `audit.no_such_size` for sizes that the epoch's tree has not, or in the wrong order. */
  async execute(
    tenantId: TenantId,
    query: ConsistencyQuery,
  ): Promise<Result<{ readonly second: number; readonly proof: readonly Uint8Array[] }>> {
    return this.uow.run(tenantId, async (tx) => {
      const latest = await this.checkpoints.latest(tx, query.epoch);
      const second = query.second ?? latest?.treeSize ?? 0;
      if (latest === null || query.first < 1 || query.first > second || second > latest.treeSize) {
        return err({
          kind: 'unprocessable',
          code: 'audit.no_such_size',
          message: `Epoch ${String(query.epoch)} has ${String(latest?.treeSize ?? 0)} signed leaves: there is no proof from ${String(query.first)} to ${String(second)}.`,
          action: 'Ask for sizes from 1 up to the latest checkpoint, the smaller first.',
        });
      }
      return ok({
        second,
        proof: await rangeHashes(tx, this.tree, query.epoch, consistencyRanges(query.first, second)),
      });
    });
  }
}
