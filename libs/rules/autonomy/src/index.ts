/**
 * The tenant's autonomy document: how far agents go on their own, who approves, and what break-glass is.
 *
 * Owns the YAML as it was written, its revisions, and the effective matrix. Invariants: the source is kept byte for byte;
 * a revision never changes; what would open the gate (nobody has to approve, or nobody ever could) is refused with the
 * line it stands on; without a document the tenant is in plan_only, and nobody may approve. It decides nothing: the matrix
 * is what the policies answer.
 */
export { autonomyHeadEntity, autonomyRevisionEntity } from './adapters/autonomy.entity.js';
export { sealedRevision } from './adapters/sealed-revision.js';
export { TypeormAutonomyRepository } from './adapters/typeorm-autonomy-repository.js';
export type {
  AutonomyInForce,
  AutonomyReader,
  AutonomyRepository,
  AutonomyRevision,
  Census,
  EnvironmentList,
  EnvironmentRow,
  RoleCensus,
} from './application/autonomy.ports.js';
export { ApprovalDemand, type EnvironmentDemand } from './application/approval-demand.js';
export { relevantDocument, type MatrixCell, type MatrixPolicy } from './application/matrix.js';
export { PlaceDecisions, type AutonomyPlace, type PlacedDecision } from './application/place-decisions.js';
export { PutAutonomy, type AutonomyChangeResult, type ChangedCell } from './application/put-autonomy.js';
export {
  ReadAutonomy,
  type EffectiveMatrix,
  type RevisionWithDiff,
  type SourcedCell,
  type SourcedFreeze,
} from './application/read-autonomy.js';

export { explainIssue, placeOf } from './domain/explain-issue.js';
export { activeFreezes } from './domain/freezes.js';
export { parseYaml, type ParsedYaml, type Position } from './domain/parse-yaml.js';
export type { SourcedDocument } from './domain/read-document.js';
export { createAutonomy, type Autonomy } from './create-autonomy.js';
