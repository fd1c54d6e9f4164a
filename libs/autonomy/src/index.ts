/**
 * The tenant's autonomy document: how far agents go on their own, who approves, and what break-glass is.
 *
 * Owns the YAML as it was written, its revisions, and the effective matrix. Invariants: the source is kept byte for byte;
 * a revision never changes; what would open the gate (nobody has to approve, or nobody ever could) is refused with the
 * line it stands on; without a document the tenant is in plan_only, and nobody may approve. It decides nothing: the matrix
 * is what the policies answer.
 */
export type {
  AutonomyInForce,
  AutonomyReader,
  AutonomyRepository,
  AutonomyRevision,
  Census,
  EnvironmentList,
  EnvironmentRow,
  RoleCensus,
  RoleHolders,
} from './application/autonomy.ports.js';
