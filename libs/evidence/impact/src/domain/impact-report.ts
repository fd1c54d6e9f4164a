import { loosenedBesideCells } from '#lib/autonomy';
import type { ChangeRequestId, ImpactReportId, PersonId } from '#lib/kernel';
import type { LatticeCell } from './lattice.js';
import type { Stratum } from './strata.js';
import { NOTHING_YET, type Tally } from './tally.js';
import type { WorldChange } from './world.js';

/** How far the work on a report is. */
export interface Progress {
  /** Null until the decisions of the period are counted. */
  readonly strata: readonly Stratum[] | null;
  /** How many pairs of a tool and an environment the lattice has behind it; null once all are done. */
  readonly latticeAt: number | null;
  readonly cells: readonly LatticeCell[];
  /** The last decision that was looked at. */
  readonly after: string | null;
  readonly tally: Tally;
}

export const NO_PROGRESS: Progress = { strata: null, latticeAt: 0, cells: [], after: null, tally: NOTHING_YET };

/** An impact report. Times are epoch milliseconds. */
export interface ImpactReport {
  readonly id: ImpactReportId;
  readonly changeId: ChangeRequestId | null;
  readonly askedBy: PersonId;
  readonly phase: 'waiting' | 'working' | 'done' | 'cancelled';
  readonly since: number;
  readonly until: number;
  /** Null until it is worked out from the change request. */
  readonly change: WorldChange | null;
  readonly bundleRevision: string | null;
  readonly progress: Progress;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/** Decisions that the report is to look at: all of the period, or its sample. */
export const toLookAt = ({ strata }: Progress): number =>
  Math.round((strata ?? []).reduce((sum, { total, part }) => sum + total * part, 0));

/** The loosening that no cell of the lattice shows, in words: break-glass, limits, budgets, freezes and escalations. */
export function beyondCells({ change }: Pick<ImpactReport, 'change'>): readonly string[] {
  const { before, after } = change?.autonomy ?? { before: null, after: null };
  return after === null ? [] : loosenedBesideCells(before, after);
}

/** True if the change lets anything pass that was held back: in the past, in a cell of the lattice or beyond the cells. */
export const isLooserReport = (report: Pick<ImpactReport, 'change' | 'progress'>): boolean =>
  report.progress.tally.looser > 0 ||
  report.progress.cells.some(({ inForce, gains }) => inForce && gains.includes('looser')) ||
  beyondCells(report).length > 0;
