/**
 * The tenant's autonomy document: how far agents go on their own, the approvers, and the rules of break-glass.
 *
 * Owns the YAML source, its revisions, and the effective matrix. Invariants: the source is kept byte for byte. A revision never
 * changes. A setting that would open the gate (no approver needed, or none possible) is refused with its line. A tenant
 * without a document is in plan_only, and has no approvers. The library decides nothing: policies answer each cell of the
 * matrix.
 */
export { autonomyHeadEntity, autonomyRevisionEntity } from './adapters/autonomy.entity.js';
export { revisionInForce, revisionInForceSchema } from './adapters/revision-in-force.js';
export { sealedRevision } from './adapters/sealed-revision.js';
export { storedDocument } from './adapters/stored-document.js';
export type {
  AutonomyInForce,
  AutonomyReader,
  AutonomyRepository,
  AutonomyRevision,
  RoleCensus,
} from './application/autonomy.ports.js';
export { ApprovalDemand, type EnvironmentDemand } from './application/approval-demand.js';
export { relevantDocument } from './application/matrix.js';
export { LocateAutonomyLine, type AutonomyLine } from './application/locate-autonomy-line.js';
export { PutAutonomy, type AutonomyChangeResult, type ChangedCell } from './application/put-autonomy.js';
export {
  ReadAutonomy,
  type RevisionWithDiff,
  type SourcedCell,
  type SourcedFreeze,
} from './application/read-autonomy.js';

export { compareCells, type CellChange } from './domain/compare-cells.js';
export { canEverFill, type RoleHolders } from './domain/fill-quorum.js';
export { loosenedBesideCells } from './domain/loosened-beside-cells.js';
export { readDocument } from './domain/read-document.js';
export { documentRefusal } from './domain/document-refusal.js';
export { explainIssue, positionOf } from './domain/explain-issue.js';
export { activeFreezes } from './domain/freezes.js';
export { isTimeZone, nearestTimeZone } from './domain/zoned-time.js';
export { parseYaml, type ParsedYaml, type Position } from './domain/parse-yaml.js';
export { unifiedDiff } from './domain/unified-diff.js';
export { createAutonomy, createAutonomyStore, type Autonomy } from './create-autonomy.js';
