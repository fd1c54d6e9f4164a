import type { ImpactReportId, Tx } from '#lib/kernel';
import type { ImpactGroup, ImpactGroups } from '../domain/groups.js';
import type { LatticeCell } from '../domain/lattice.js';

/** The findings of a batch. */
export interface Findings {
  readonly cells: readonly LatticeCell[];
  /** Each kind once. */
  readonly groups: readonly ImpactGroup[];
}

export const NO_FINDINGS: Findings = { cells: [], groups: [] };

/**
 * The cells and groups of reports. A batch adds its own, and writes none of the others. They
 * are added in the transaction that keeps the progress of the report, so that each is counted once.
 */
export interface ImpactFindings {
  /**
   * Adds to the groups of the same kind. Keeps those of new kinds while a report has fewer than `MAX_KEPT` that
   * tighten, or of the others. A cell comes once in the life of a report.
   */
  add(tx: Tx, id: ImpactReportId, findings: Findings): Promise<void>;
  /** Forgets all of a report. */
  drop(tx: Tx, id: ImpactReportId): Promise<void>;
  /** The cells of a report: those in force first, then by tool, environment and mode. */
  cells(tx: Tx, id: ImpactReportId, page: CellPage): Promise<readonly LatticeCell[]>;
  groups(tx: Tx, id: ImpactReportId): Promise<ImpactGroups>;
}

export type CellKey = Pick<LatticeCell, 'inForce' | 'tool' | 'environment' | 'mode'>;

export interface CellPage {
  readonly limit: number;
  /** Null for the beginning. */
  readonly after: CellKey | null;
}
