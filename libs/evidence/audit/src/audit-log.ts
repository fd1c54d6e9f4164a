import type { SystemQuery } from '#lib/database';
import type {
  AuditSink,
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
import { SqlAuditTree } from './adapters/sql-audit-tree.js';
import { SqlLogFollowers } from './adapters/sql-log-followers.js';
import { TypeormLogProgress } from './adapters/typeorm-log-progress.js';
import { TypeormAuditKeys } from './adapters/typeorm-audit-keys.js';
import { SqlCheckpoints } from './adapters/sql-checkpoints.js';
import { SqlPayloadRetention } from './adapters/sql-payload-retention.js';
import { ListAuditKeys, RotateAuditKey } from './application/audit-keys.js';
import type { AuditBacklog, CheckpointPublisher, NotedEvidence } from './application/audit.ports.js';
import { BuildEvidencePack, type EvidenceSources, type ReadsFromReplica } from './application/build-evidence-pack.js';
import { ErasePayloads } from './application/erase-payloads.js';
import { PublishCheckpoint } from './application/publish-checkpoint.js';
import { ExportAuditEntries } from './application/export-audit.js';
import { ExportLog } from './application/export-log.js';
import { FollowEntries } from './application/follow-entries.js';
import { FollowLog } from './application/follow-log.js';
import {
  GetAuditEntry,
  GetConsistencyProof,
  GetLatestCheckpoint,
  ListAuditActions,
  ListAuditEntries,
} from './application/read-audit.js';
import { RecordAudit } from './application/record-audit.js';
import { SequenceAudit } from './application/sequence-audit.js';
import { SetPayloadRetention } from './application/set-payload-retention.js';
import { StartEpoch, type EpochEffect } from './application/start-epoch.js';

export interface AuditLogOptions {
  readonly uow: UnitOfWork;
  readonly systemQuery: SystemQuery;
  readonly jobs: JobQueue;
  /** The folder of private signing keys; the same for every process that sequences. */
  readonly keyDirectory: string;
  /** Encrypts those files. */
  readonly wrapping: KeyWrapping;
  readonly noted: NotedEvidence;
  /** Absent: everything is read from the primary. */
  readonly reading?: ReadsFromReplica;
}

/** The audit log's use cases over PostgreSQL. */
export interface AuditLog {
  readonly sink: AuditSink;
  readonly backlog: AuditBacklog;
  readonly sequence: SequenceAudit;
  readonly listEntries: ListAuditEntries;
  readonly listActions: ListAuditActions;
  readonly exportEntries: ExportAuditEntries;
  readonly followEntries: FollowEntries;
  readonly following: LogFollowing;
  readonly progress: LogProgress;
  readonly getEntry: GetAuditEntry;
  readonly latestCheckpoint: GetLatestCheckpoint;
  readonly consistencyProof: GetConsistencyProof;
  readonly listKeys: ListAuditKeys;
  readonly erasePayloads: ErasePayloads;
  /** The use cases that change the proofs of the log. `effects` are the consequences of a new epoch elsewhere. */
  guarded(twoPersonRule: TwoPersonRule, effects: readonly EpochEffect[]): GuardedAudit;
  /** The use case that assembles packs from the contributions of the stages. */
  evidencePacks(sources: EvidenceSources): BuildEvidencePack;
  /** The use case that gives these readers the entries of the log. */
  followedBy(outbox: Outbox, followers: readonly (LogFollower | LogExporter)[]): FollowLog;
  /** The use case that sends the whole log by an exporter of this process. */
  exportedBy(outbox: Outbox, exporter: LogExporter): ExportLog;
  /** The use case that puts checkpoints to one place outside. */
  publishTo(publisher: CheckpointPublisher): PublishCheckpoint;
}

/** An admin's changes of the log itself; a loosening change waits for a second person. */
export interface GuardedAudit {
  readonly rotateKey: RotateAuditKey;
  readonly retention: SetPayloadRetention;
  readonly startEpoch: StartEpoch;
}

/** The keys that sign the logs of tenants, as files of a folder. */
export const createSigningKeys = (keyDirectory: string, wrapping: KeyWrapping): FileSigningKeyStore =>
  new FileSigningKeyStore(keyDirectory, wrapping);

/** The audit log over PostgreSQL. */
export function auditLog(options: AuditLogOptions): AuditLog {
  const { uow, systemQuery, jobs, keyDirectory, wrapping, noted, reading = (work) => work() } = options;
  const entries = new SqlAuditEntries();
  const listing = new ListAuditEntries(uow, entries);
  const tree = new SqlAuditTree();
  const checkpoints = new SqlCheckpoints();
  const keys = new TypeormAuditKeys();
  const keyStore = createSigningKeys(keyDirectory, wrapping);
  const retention = new SqlPayloadRetention();
  const sink = new RecordAudit(entries, noted);
  const followers = new SqlLogFollowers();
  const sequence = new SequenceAudit(uow, tree, checkpoints, keys, keyStore, followers);
  return {
    sink,
    sequence,
    backlog: new SqlAuditBacklog(systemQuery),
    listEntries: listing,
    listActions: new ListAuditActions(uow, entries),
    exportEntries: new ExportAuditEntries(uow, entries, listing, reading),
    followEntries: new FollowEntries(uow, entries),
    following: followers,
    progress: new TypeormLogProgress(),
    getEntry: new GetAuditEntry(uow, entries, tree, checkpoints),
    latestCheckpoint: new GetLatestCheckpoint(uow, checkpoints),
    consistencyProof: new GetConsistencyProof(uow, tree, checkpoints),
    listKeys: new ListAuditKeys(uow, keys, keyStore),
    guarded: (twoPersonRule, effects) => ({
      rotateKey: new RotateAuditKey(uow, tree, keys, keyStore, twoPersonRule, sink),
      retention: new SetPayloadRetention(uow, tree, retention, twoPersonRule, sink),
      startEpoch: new StartEpoch(uow, tree, checkpoints, twoPersonRule, sink, effects),
    }),
    erasePayloads: new ErasePayloads(uow, retention, sink),
    evidencePacks: (sources) =>
      new BuildEvidencePack({ uow, entries, tree, checkpoints, sink, sequence, sources, reading }),
    followedBy: (outbox, registered) => new FollowLog(uow, jobs, followers, outbox, registered),
    exportedBy: (outbox, exporter) =>
      new ExportLog(uow, followers, new FollowLog(uow, jobs, followers, outbox, [exporter]), exporter),
    publishTo: (publisher) => new PublishCheckpoint(uow, checkpoints, publisher, sink),
  };
}
