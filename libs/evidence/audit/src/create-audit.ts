import type { Client } from 'pg';
import type { SystemQuery } from '#lib/database';
import type {
  JobQueue,
  LogExporter,
  LogFollower,
  LogFollowing,
  LogProgress,
  Outbox,
  TwoPersonRule,
  UnitOfWork,
} from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import { FileSigningKeyStore } from './adapters/file-signing-key-store.js';
import { SqlAuditBacklog } from './adapters/sql-audit-backlog.js';
import { SqlAuditEntries } from './adapters/sql-audit-entries.js';
import { SqlAuditMonths } from './adapters/sql-audit-months.js';
import { SqlAuditTree } from './adapters/sql-audit-tree.js';
import { SqlLogFollowers } from './adapters/sql-log-followers.js';
import { TypeormLogProgress } from './adapters/typeorm-log-progress.js';
import { TypeormAuditKeys } from './adapters/typeorm-audit-keys.js';
import { SqlCheckpoints } from './adapters/sql-checkpoints.js';
import { SqlPayloadRetention } from './adapters/sql-payload-retention.js';
import { ListAuditKeys, RotateAuditKey } from './application/audit-keys.js';
import type {
  AuditBacklog,
  AuditEntryReader,
  AuditEntryWriter,
  AuditKeyHistory,
  AuditTreeStore,
  CheckpointPublisher,
  CheckpointStore,
  NotedEvidence,
  PayloadRetention,
  PublishedCheckpoints,
  SigningKeyStore,
} from './application/audit.ports.js';
import { BuildEvidencePack, type EvidenceSources, type ReadsFromReplica } from './application/build-evidence-pack.js';
import { CheckAgainstOutside } from './application/check-against-outside.js';
import { ErasePayloads } from './application/erase-payloads.js';
import { PublishCheckpoint } from './application/publish-checkpoint.js';
import { ExportAuditEntries } from './application/export-audit.js';
import { ExportLog } from './application/export-log.js';
import { FollowEntries } from './application/follow-entries.js';
import { FollowLog } from './application/follow-log.js';
import type { LogFollowers } from './application/log-followers.port.js';
import {
  GetAuditEntry,
  GetConsistencyProof,
  GetLatestCheckpoint,
  ListAuditActions,
  ListAuditEntries,
} from './application/read-audit.js';
import { RecordAudit } from './application/record-audit.js';
import { RecordMove } from './application/record-move.js';
import { SequenceAudit } from './application/sequence-audit.js';
import { SetPayloadRetention } from './application/set-payload-retention.js';
import { StartEpoch, type EpochEffect } from './application/start-epoch.js';

/** The stored logs. */
export interface AuditRows {
  readonly entries: AuditEntryWriter & AuditEntryReader;
  readonly tree: AuditTreeStore;
  readonly checkpoints: CheckpointStore;
  readonly keys: AuditKeyHistory;
  readonly retention: PayloadRetention;
  readonly followers: LogFollowers;
  readonly backlog: AuditBacklog;
}

/** The trees of the logs and their checkpoints, over PostgreSQL. */
export const createTreeStore = (): Pick<AuditRows, 'tree' | 'checkpoints'> => ({
  tree: new SqlAuditTree(),
  checkpoints: new SqlCheckpoints(),
});

/**
 * The use case that compares logs with the checkpoints outside.
 *
 * @param uow at the primary: a replica may hold a tail that the promoted primary lost.
 */
export const createOutsideCheck = (
  uow: UnitOfWork,
  { tree, checkpoints }: Pick<AuditRows, 'tree' | 'checkpoints'>,
  destinations: readonly PublishedCheckpoints[],
): CheckAgainstOutside => new CheckAgainstOutside(uow, tree, checkpoints, destinations);

/** The ports of this library that keep rows, over PostgreSQL. */
export const createAuditStore = (system: SystemQuery): AuditRows & { readonly progress: LogProgress } => ({
  ...createTreeStore(),
  entries: new SqlAuditEntries(),
  keys: new TypeormAuditKeys(),
  retention: new SqlPayloadRetention(),
  followers: new SqlLogFollowers(),
  backlog: new SqlAuditBacklog(system),
  progress: new TypeormLogProgress(),
});

/**
 * The keys that sign the logs of tenants, as encrypted files.
 *
 * @param keyDirectory the same for every process that sequences.
 */
export const createSigningKeys = (keyDirectory: string, wrapping: KeyWrapping): FileSigningKeyStore =>
  new FileSigningKeyStore(keyDirectory, wrapping);

/** The months of the log, for the operator. @param client as countersign_owner. */
export const createAuditMonths = (client: Pick<Client, 'query'>): SqlAuditMonths => new SqlAuditMonths(client);

export interface AuditDeps {
  readonly uow: UnitOfWork;
  readonly rows: AuditRows;
  readonly jobs: JobQueue;
  readonly signingKeys: SigningKeyStore;
  readonly noted: NotedEvidence;
  readonly reading: ReadsFromReplica;
}

/** The audit log. */
export type AuditLog = ReturnType<typeof createAudit>;

export function createAudit({ uow, rows, jobs, signingKeys, noted, reading }: AuditDeps) {
  const { entries, tree, checkpoints, keys, retention, followers, backlog } = rows;
  const sink = new RecordAudit(entries, noted);
  const following: LogFollowing = followers;
  const listEntries = new ListAuditEntries(uow, entries);
  const sequence = new SequenceAudit(uow, tree, checkpoints, keys, signingKeys, followers);
  return {
    sink,
    sequence,
    backlog,
    following,
    listEntries,
    listActions: new ListAuditActions(uow, entries),
    exportEntries: new ExportAuditEntries(uow, entries, listEntries, reading),
    followEntries: new FollowEntries(uow, entries),
    getEntry: new GetAuditEntry(uow, entries, tree, checkpoints),
    latestCheckpoint: new GetLatestCheckpoint(uow, checkpoints),
    consistencyProof: new GetConsistencyProof(uow, tree, checkpoints),
    listKeys: new ListAuditKeys(uow, keys, signingKeys),
    erasePayloads: new ErasePayloads(uow, retention, sink),
    recordMove: new RecordMove(uow, sink),
    /**
     * An admin's changes of the proofs of the log; a loosening change waits for a second person.
     *
     * @param effects the consequences of a new epoch elsewhere.
     */
    guarded: (twoPersonRule: TwoPersonRule, effects: readonly EpochEffect[]) => ({
      rotateKey: new RotateAuditKey(uow, tree, keys, signingKeys, twoPersonRule, sink),
      retention: new SetPayloadRetention(uow, tree, retention, twoPersonRule, sink),
      startEpoch: new StartEpoch(uow, tree, checkpoints, twoPersonRule, sink, effects),
    }),
    /** The use case that assembles packs from the contributions of the stages. */
    evidencePacks: (sources: EvidenceSources) =>
      new BuildEvidencePack({ uow, entries, tree, checkpoints, sink, sequence, sources, reading }),
    /** The use case that gives these readers the entries of the log. */
    followedBy: (outbox: Outbox, registered: readonly (LogFollower | LogExporter)[]) =>
      new FollowLog(uow, jobs, followers, outbox, registered),
    /** The use case that sends the whole log by an exporter of this process. */
    exportedBy: (outbox: Outbox, exporter: LogExporter) =>
      new ExportLog(uow, followers, new FollowLog(uow, jobs, followers, outbox, [exporter]), exporter),
    /** The use case that publishes checkpoints to one destination. */
    publishTo: (publisher: CheckpointPublisher) => new PublishCheckpoint(uow, checkpoints, publisher, sink),
  };
}
