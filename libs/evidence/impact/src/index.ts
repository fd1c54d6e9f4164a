/**
 * Impact reports: the decisions of the last days, taken again as if a change had been in force. A report also names the cells that the
 * change loosens, in the lattice of environments, tools and modes.
 *
 * Owns the reports. Invariants: every decision is taken by the policies in force, from its stored input, with both sides of the
 * change: so a difference is the change's alone. A decision that cannot be taken exactly is counted with its reason, never guessed.
 * A report changes nothing, and nothing depends on it. No row of it is locked while a batch works.
 *
 * Holds no rule of its own: the compiled policies answer for decisions and cells alike.
 */
export { impactCellEntity, impactGroupEntity, impactReportEntity } from './adapters/impact.entity.js';
export { AskImpact } from './application/ask-impact.js';
export type { CellKey } from './application/impact-findings.js';
export { ReadImpact, type NamedReport } from './application/read-impact.js';
export { createImpact, createImpactStore, type Impact } from './create-impact.js';
export { NO_GROUPS, sumsOf, type ImpactPart, type ImpactPartList } from './domain/groups.js';
export {
  beyondCells,
  isLooserReport,
  isRenewable,
  NO_PROGRESS,
  toLookAt,
  type ImpactFailure,
} from './domain/impact-report.js';
export type { LatticeCell } from './domain/lattice.js';
export type { Example } from './domain/located-decision.js';
export type { NotPut } from './domain/put-decision.js';
export type { ProposedConfiguration } from './domain/proposed-world.js';
export { isSample, totalOf } from './domain/strata.js';
export { summaryOf } from './domain/summary.js';
export type { Results } from './domain/tally.js';
