import { loosenedBesideCells } from '#lib/autonomy';
import type { ChangeRequestId, ImpactReportId, PersonId } from '#lib/kernel';
import type { LatticeCell, LatticePair } from './lattice.js';
import type { Stratum } from './strata.js';
import { NOTHING_YET, type Tally } from './tally.js';
import type { WorldChange } from './world.js';

/** How far the work on a report is. The cells that it found are kept beside it. */
export interface Progress {
  /** Null until the decisions of the period are counted. */
  readonly strata: readonly Stratum[] | null;
  /** The months of the period without their decisions in the database by then, as `2026-01`. */
  readonly away: readonly string[];
  /** The last pair that the lattice has behind it; null before the first. */
  readonly latticeAfter: LatticePair | null;
  readonly latticeDone: boolean;
  readonly cells: CellCounts;
  /** The last decision that was looked at. */
  readonly after: string | null;
  readonly tally: Tally;
}

export interface CellCounts {
  readonly found: number;
  /** Those that are in force with the change, and looser. */
  readonly looser: number;
}

export const NO_PROGRESS: Progress = {
  strata: null,
  away: [],
  latticeAfter: null,
  latticeDone: false,
  cells: { found: 0, looser: 0 },
  after: null,
  tally: NOTHING_YET,
};

/** The reasons for which a report is given up. */
export const IMPACT_FAILURES = ['batch_failed', 'worker_lost', 'change_unreadable', 'policies_moved'] as const;
export type ImpactFailure = (typeof IMPACT_FAILURES)[number];

/**
 * `outdated`: it was done, settings or policies have moved since, and a worker makes it anew.
 */
export type ImpactPhase = 'waiting' | 'working' | 'outdated' | 'done' | 'cancelled' | 'failed';

/** An impact report. Times are epoch milliseconds. */
export interface ImpactReport {
  readonly id: ImpactReportId;
  readonly changeId: ChangeRequestId | null;
  readonly askedBy: PersonId;
  readonly phase: ImpactPhase;
  readonly since: number;
  readonly until: number;
  /** Null until it is worked out from the change request. */
  readonly change: WorldChange | null;
  readonly bundleRevision: string | null;
  /** The settings that it was begun with, as {@link SettingsStamps} names them; null until then. */
  readonly stamp: string | null;
  /** How often it was given up, or begun anew since settings or policies had moved. */
  readonly renewals: number;
  /** How often its next batch was begun and not ended. */
  readonly attempts: number;
  /** Whether it is about settings as they stand: false once its change is closed. */
  readonly followed: boolean;
  readonly failure: ImpactFailure | null;
  readonly progress: Progress;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/** The settings and policies that decide now. */
export interface InForce {
  readonly stamp: string;
  readonly bundleRevision: string;
}

/** How often a report is begun anew. Then it stays as it is: failed, or it says that settings have moved. */
const MAX_RENEWALS = 20;

export const isUnfinished = ({ phase }: Pick<ImpactReport, 'phase'>): boolean =>
  phase === 'waiting' || phase === 'working' || phase === 'outdated';

/** True if settings or policies have moved since the report was begun. */
export const hasMoved = (
  { stamp, bundleRevision }: Pick<ImpactReport, 'stamp' | 'bundleRevision'>,
  inForce: InForce,
): boolean => stamp !== inForce.stamp || bundleRevision !== inForce.bundleRevision;

/** Whether the report can be begun anew. One of a configuration cannot: only its asker has the documents. */
export const isRenewable = ({ changeId, renewals }: Pick<ImpactReport, 'changeId' | 'renewals'>): boolean =>
  changeId !== null && mayBeginAnew({ renewals });

export const mayBeginAnew = ({ renewals }: Pick<ImpactReport, 'renewals'>): boolean => renewals < MAX_RENEWALS;

/** Decisions that the report is to look at: all of the period, or its sample. */
export const toLookAt = ({ strata }: Progress): number =>
  Math.round((strata ?? []).reduce((sum, { total, part }) => sum + total * part, 0));

/** Counts the cells that a batch found. */
export const withCells = (counts: CellCounts, cells: readonly LatticeCell[]): CellCounts => ({
  found: counts.found + cells.length,
  looser: counts.looser + cells.filter(({ inForce, gains }) => inForce && gains.includes('looser')).length,
});

/** The loosening that no cell of the lattice shows, in words: break-glass, limits, budgets, freezes and escalations. */
export function beyondCells({ change }: Pick<ImpactReport, 'change'>): readonly string[] {
  const { before, after } = change?.autonomy ?? { before: null, after: null };
  return after === null ? [] : loosenedBesideCells(before, after);
}

/**
 * True if the change lets anything pass that was held back. It may be in the past, in a cell of the lattice or beyond
 * the cells.
 */
export const isLooserReport = (report: Pick<ImpactReport, 'change' | 'progress'>): boolean =>
  report.progress.tally.looser > 0 || report.progress.cells.looser > 0 || beyondCells(report).length > 0;
