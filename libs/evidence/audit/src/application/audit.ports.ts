import type { Outcome } from '#lib/formats';
import type {
  AuditEntryId,
  AutomationRunId,
  AuditLevel,
  ChangeRequestId,
  DecisionId,
  EvidenceRef,
  PlanId,
  SessionId,
  SubjectRef,
  TenantId,
  Tx,
} from '#lib/kernel';
import type { NoteKey, NoteSigner } from '#lib/verifier';
import type { NewEntry, StoredEntry, StoredPayload } from '../domain/audit-entry.js';
import type { NodeAt, TreeNode } from '../domain/merkle-tree.js';
import type { RetentionRule } from '../domain/retention-rule.js';

/** Writes entries; nothing here changes or removes one. */
export interface AuditEntryWriter {
  insert(tx: Tx, entry: NewEntry): Promise<void>;
}

/**
 * The evidence that other libraries noted for the entries of this transaction. It is the decision that the entry names,
 * and the confirmed change that the transaction carries out. The entry fixes it by its digest.
 */
export type NotedEvidence = (tx: Tx, decisionId: DecisionId | undefined) => readonly EvidenceRef[];

/** A filter of entries. Every member narrows. */
export interface EntryFilter {
  readonly actorId?: string;
  readonly subjectType?: string;
  readonly subjectId?: string;
  /** Entries about the tool, about a plan that calls it, or about a single call of it. */
  readonly tool?: string;
  /** Of the decision that the entry names. */
  readonly outcome?: Outcome;
  readonly level?: AuditLevel;
  readonly action?: string;
  /** Those that happened within each of these things. */
  readonly within?: readonly SubjectRef[];
  /** Those that decide a single tool call. */
  readonly calls?: CallFilter;
  /** Epoch milliseconds, inclusive. */
  readonly from?: number;
  /** Epoch milliseconds, exclusive. */
  readonly until?: number;
}

/** Which decisions on single tool calls are wanted, by their payload: one that was erased is found by no member. */
export interface CallFilter {
  /** Of calls with a command line. */
  readonly commandLines?: boolean;
  /** Of calls that this agent asked for: people answer about some of them, and are then the actors. */
  readonly agentId?: string;
  /** The decision word. */
  readonly decidedAs?: string;
  /** Of the verdict on a command line. */
  readonly tier?: number;
  readonly shellClass?: string;
}

/** The end of a page: the next begins just before it (newest first). */
export interface EntryCursor {
  readonly occurredAt: number;
  readonly id: AuditEntryId;
}

/** The subject of an evidence pack. */
export type EvidenceSubject =
  | SubjectRef<'plan', PlanId>
  | SubjectRef<'change_request', ChangeRequestId>
  | SubjectRef<'session', SessionId>
  | SubjectRef<'automation_run', AutomationRunId>;

/** Reads entries of the log, and their payloads as far as they are there. */
export interface AuditEntryReader {
  /** Newest first. */
  list(tx: Tx, filter: EntryFilter, limit: number, after?: EntryCursor): Promise<readonly StoredEntry[]>;
  /** The entries within an outermost thing, oldest first: from a time on, or after an entry. */
  following(tx: Tx, thing: SubjectRef, from: EntryCursor | number, limit: number): Promise<readonly StoredEntry[]>;
  /** How many there are, counted up to `most`. */
  count(tx: Tx, filter: EntryFilter, most: number): Promise<number>;
  /** Every action that the tenant's log holds an entry of, by name. */
  actions(tx: Tx): Promise<readonly string[]>;
  find(tx: Tx, id: AuditEntryId): Promise<StoredEntry | null>;
  payloads(tx: Tx, ids: readonly AuditEntryId[]): Promise<ReadonlyMap<AuditEntryId, StoredPayload>>;
  /** The bytes of them all together. */
  payloadBytes(tx: Tx, ids: readonly AuditEntryId[]): Promise<number>;
  /**
   * Entries of the plan and those of its task that name no plan. Or those about the change, or those of the session;
   * also entries that fix one of the digests. Oldest first.
   */
  forPack(tx: Tx, subject: EvidenceSubject, digests: readonly string[]): Promise<readonly StoredEntry[]>;
}

/** A tree and how far it has grown. */
export interface TreeHead {
  readonly epoch: number;
  readonly size: number;
}

/** A leaf of a tree (RFC 6962): the hash of an entry at its index, from 0. */
export interface Leaf {
  readonly index: number;
  readonly entryId: AuditEntryId;
  readonly hash: Uint8Array;
}

/** An entry without a leaf. */
export interface PendingEntry {
  readonly entry: StoredEntry;
  /** A bigint as text. It orders the entries that wait. */
  readonly entryNumber: string;
}

/** A signed head of a tree, as a note (C2SP tlog-checkpoint). */
export interface SignedCheckpoint {
  readonly epoch: number;
  readonly treeSize: number;
  readonly rootHash: Uint8Array;
  readonly note: string;
  readonly keyName: string;
  /** Epoch milliseconds. */
  readonly signedAt: number;
  /** Epoch milliseconds; null until it stands outside. */
  readonly publishedAt: number | null;
  /** Whether it was published where the operator named, and not only beside the data. */
  readonly publishedElsewhere: boolean;
}

/** The tenant's trees. */
export interface AuditTreeStore {
  /** Waits until no other transaction sequences this tenant, and keeps it so until this one ends. */
  lock(tx: Tx): Promise<void>;
  /** The current epoch and the size its last checkpoint covers; null before the first. */
  head(tx: Tx): Promise<TreeHead | null>;
  startEpoch(tx: Tx, epoch: number, startedAt: number, reason: string): Promise<void>;
  /**
   * Entries without a leaf, in their order, at most `limit`: those set aside, and those that `found` names. Without it
   * they are sought.
   */
  pending(tx: Tx, limit: number, found?: readonly AuditEntryId[]): Promise<readonly PendingEntry[]>;
  /** Sets all that have no leaf yet aside, so that the search goes on without them. */
  setAside(tx: Tx): Promise<void>;
  /** Hashes of full subtrees, leaves included, in the order asked for. Throws if one is missing. */
  nodes(tx: Tx, epoch: number, at: readonly NodeAt[]): Promise<readonly TreeNode[]>;
  /** Adds leaves and full subtrees, and removes the entries of these numbers from those that were set aside. */
  append(
    tx: Tx,
    epoch: number,
    leaves: readonly Leaf[],
    nodes: readonly TreeNode[],
    entryNumbers: readonly string[],
  ): Promise<void>;
  /** The leaves of entries: epoch and index, for those that have a leaf. */
  leavesOf(
    tx: Tx,
    ids: readonly AuditEntryId[],
  ): Promise<ReadonlyMap<AuditEntryId, { readonly epoch: number; readonly index: number }>>;
}

/** The signed checkpoints of a tenant. */
export interface CheckpointStore {
  save(tx: Tx, checkpoint: Omit<SignedCheckpoint, 'publishedAt' | 'publishedElsewhere'>): Promise<void>;
  /** The largest of the epoch; of the current epoch if none is named. */
  latest(tx: Tx, epoch?: number): Promise<SignedCheckpoint | null>;
  /** The largest of the epoch that stands outside. */
  latestPublished(tx: Tx, epoch: number): Promise<SignedCheckpoint | null>;
  /** Of exactly this size. */
  ofSize(tx: Tx, epoch: number, treeSize: number): Promise<SignedCheckpoint | null>;
  markPublished(
    tx: Tx,
    checkpoint: { readonly epoch: number; readonly treeSize: number; readonly elsewhere: boolean },
    at: number,
  ): Promise<void>;
}

/** A public key and when it signed. */
export interface AuditKey extends NoteKey {
  /** Epoch milliseconds. */
  readonly validFrom: number;
  /** Epoch milliseconds; null for the one that signs. */
  readonly validTo: number | null;
}

/** The public keys that signed the checkpoints of a tenant. */
export interface AuditKeyHistory {
  current(tx: Tx): Promise<AuditKey | null>;
  /** Oldest first. */
  list(tx: Tx): Promise<readonly AuditKey[]>;
  add(tx: Tx, key: NoteKey, validFrom: number): Promise<void>;
  retire(tx: Tx, name: string, validTo: number): Promise<void>;
}

/** Holds private keys, outside the database. */
export interface SigningKeyStore {
  /** Makes a key and keeps it durably before it answers. */
  create(tenantId: TenantId, name: string): Promise<NoteKey>;
  /** The signer, or null if this process has no such key. */
  signer(tenantId: TenantId, key: NoteKey): Promise<NoteSigner | null>;
}

/** Entries of a tenant that have no leaf yet, oldest first: as many as get theirs in one transaction. */
export interface UnsequencedEntries {
  readonly tenantId: TenantId;
  readonly entries: readonly AuditEntryId[];
}

/** Work waiting across tenants; answers ids only, the work is done inside each tenant. */
export interface AuditBacklog {
  unsequenced(): Promise<readonly UnsequencedEntries[]>;
  /** Moves the cursor past all entries that the previous call saw, if each has its leaf or is set aside. */
  settle(): Promise<void>;
  /**
   * Tenants with a checkpoint of their latest epoch that no published one covers.
   *
   * @param signedBefore leaves out later ones; epoch milliseconds.
   */
  unpublished(signedBefore?: number): Promise<readonly TenantId[]>;
  /** Tenants with entries that this exporter has not sent, or has not begun with. */
  unexported(exporter: string): Promise<readonly TenantId[]>;
}

/** The answer of a destination to a checkpoint. */
export type PublicationAnswer =
  | { readonly outcome: 'published' }
  /** It holds a larger checkpoint already: this database is behind, as after a restore from a backup. */
  | { readonly outcome: 'behind'; readonly held: string }
  /** It holds another root for the same size. */
  | { readonly outcome: 'fork'; readonly held: string };

/** Publishes checkpoints out of reach of the database's operators. */
export interface CheckpointPublisher {
  /** Whether the operator named the destination; false for the folder beside the data. */
  readonly elsewhere: boolean;
  /** Throws if the destination can't be reached; then it is tried again. */
  publish(origin: string, treeSize: number, note: string): Promise<PublicationAnswer>;
}

/** Tells the checkpoints that stand outside. */
export interface PublishedCheckpoints {
  /**
   * The largest checkpoint of a log that stands there; null if there is none.
   *
   * @throws if the destination can't be reached, or answers something else.
   */
  held(origin: string): Promise<string | null>;
}

/** The retention rule of payloads. */
export interface PayloadRetention {
  setRule(tx: Tx, rule: RetentionRule, at: number): Promise<void>;
  rule(tx: Tx): Promise<RetentionRule>;
  /** Erases payloads that the rule no longer keeps, at most `limit`. @returns their entries. */
  erase(tx: Tx, limit: number): Promise<readonly AuditEntryId[]>;
}
