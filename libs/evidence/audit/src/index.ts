/**
 * The audit log: entries written in the transaction of the action, and a Merkle tree a tenant over them. Signed checkpoints are
 * published outside, and evidence packs can be checked without this server.
 *
 * Invariants: an action without a written entry does not happen; entries, leaves, nodes and checkpoints are never
 * changed; a leaf outlives the payload it commits to; a restore from a backup is visible as a new epoch.
 *
 * Imports no stage: stages call the kernel's AuditSink, and contribute to evidence packs through a port. Never
 * decides anything, and never holds a private key in the database.
 */
export { guardLogs } from './guard-logs.js';
export { createAudit, createAuditMonths, createAuditStore, createSigningKeys, type AuditLog } from './create-audit.js';
export { type PublishedAuditKey, ListAuditKeys, RotateAuditKey } from './application/audit-keys.js';
export { publisherLoop, exporterLoop, sequencerLoop, sequencingLagMs } from './application/audit-loops.js';
export type {
  EntryFilter,
  EntryCursor,
  EvidenceSubject,
  NotedEvidence,
  SignedCheckpoint,
} from './application/audit.ports.js';
export { BuildEvidencePack, type EvidenceDocument } from './application/build-evidence-pack.js';
export { ExportAuditEntries } from './application/export-audit.js';
export { FollowEntries } from './application/follow-entries.js';
export { SetPayloadRetention } from './application/set-payload-retention.js';
export { entryCsvHeader, entryCsvRecord } from './domain/entry-csv.js';
export {
  type AuditEntryView,
  type ProvenEntry,
  ListAuditEntries,
  ListAuditActions,
  GetAuditEntry,
  GetLatestCheckpoint,
  GetConsistencyProof,
} from './application/read-audit.js';
export { StartEpoch, type EpochEffect, type StartEpochCommand } from './application/start-epoch.js';

export { DirectoryCheckpointPublisher } from './adapters/directory-checkpoint-publisher.js';

export { HttpsCheckpointPublisher } from './adapters/https-checkpoint-publisher.js';

export {
  auditCheckpointEntity,
  auditEntryEntity,
  auditEpochEntity,
  auditEvidenceEntity,
  auditLeafEntity,
  auditNodeEntity,
  auditPublicationEntity,
  auditRetentionEntity,
  auditSigningKeyEntity,
  logFollowerEntity,
} from './adapters/audit.entity.js';
export { decisionMonthsAway } from './adapters/sql-decision-months.js';
