/**
 * The audit log: entries written in the transaction of the action, a Merkle tree a tenant over them, signed
 * checkpoints that are published outside, and the evidence packs that can be checked without this server.
 *
 * Invariants: an action without a written entry does not happen; entries, leaves, nodes and checkpoints are never
 * changed; a leaf outlives the payload it commits to; a restore from a backup is visible as a new epoch.
 *
 * Imports no stage: stages call the kernel's AuditSink, and contribute to evidence packs through a port. Never
 * decides anything, and never holds a private key in the database.
 */
export { auditLog, type AuditLog, type AuditLogOptions, type GuardedAudit } from './audit-log.js';
export * from './application/audit-keys.js';
export { publisherLoop, sequencerLoop, sequencingLagMs, type LoopSurroundings } from './application/audit-loops.js';
export * from './application/audit.ports.js';
export {
  BuildEvidencePack,
  type BuildEvidencePackCommand,
  type EvidenceDocument,
  type EvidenceSource,
  type EvidenceSources,
  type FixedEvidenceSource,
} from './application/build-evidence-pack.js';
export * from './application/erase-payloads.js';
export { ExportAuditEntries } from './application/export-audit.js';
export * from './application/publish-checkpoint.js';
export { SetPayloadRetention } from './application/set-payload-retention.js';
export { entryCsvHeader, entryCsvRecord } from './domain/entry-csv.js';
export type { RetentionRule } from './domain/retention-rule.js';
export * from './application/read-audit.js';
export { RecordAudit } from './application/record-audit.js';
export { type SequencingResult } from './application/sequence-audit.js';
export { StartEpoch, type EpochEffect, type StartEpochCommand } from './application/start-epoch.js';

export { DirectoryCheckpointPublisher } from './adapters/directory-checkpoint-publisher.js';

export {
  HttpsCheckpointPublisher,
  type HttpsCheckpointPublisherOptions,
} from './adapters/https-checkpoint-publisher.js';

export {
  auditCheckpointEntity,
  auditPublicationEntity,
  auditRetentionEntity,
  auditSigningKeyEntity,
} from './adapters/audit.entity.js';
export { FileSigningKeyStore } from './adapters/file-signing-key-store.js';
export { SqlAuditEntries } from './adapters/sql-audit-entries.js';
