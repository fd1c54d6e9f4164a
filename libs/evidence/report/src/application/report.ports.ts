import type { FindingView, OverviewView, ProductionChangeReportView, ProductionChangeView } from '#lib/api-schemas';
import type { AgentId, RunId, Tx } from '#lib/kernel';
import type { SetUpFacts } from '../domain/set-up.js';

/** Epoch milliseconds; `until` is exclusive. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

/** The end of a page of changes; the next begins after it. */
export interface ChangeCursor {
  readonly occurredAt: number;
  readonly runId: RunId;
}

export interface ProductionChangeReader {
  totals(tx: Tx, period: Period): Promise<ProductionChangeReportView['totals']>;
  /** Oldest first. */
  list(
    tx: Tx,
    period: Period,
    page: { readonly limit: number; readonly after: ChangeCursor | null },
  ): Promise<readonly ProductionChangeView[]>;
}

/** Finds things by a typed text. */
export interface FindingReader {
  /** At most so many of each kind, the newest of each first; kinds in the order of FINDING_KINDS. */
  find(tx: Tx, text: string, most: number): Promise<readonly FindingView[]>;
}

/** The counts of the overview, from the rows. */
export interface OverviewReader {
  standing(tx: Tx): Promise<Pick<OverviewView, 'waiting' | 'running' | 'active_halts' | 'incidents'>>;
  /** Of the days that have any, since that moment. */
  approvalTimes(tx: Tx, since: number): Promise<OverviewView['approval_times']>;
  decisions(tx: Tx, since: number): Promise<OverviewView['decisions']>;
  /** The months between two moments without their decisions in the database, the oldest first. */
  monthsAway(tx: Tx, period: Period): Promise<readonly string[]>;
}

/** The facts of the checklist for a new tenant; the people who could approve are counted elsewhere. */
export type CountedSetUp = Omit<SetUpFacts, 'shortages' | 'agents'> & {
  readonly agents: readonly { readonly id: AgentId; readonly name: string; readonly token: boolean }[];
};

export interface SetUpReader {
  count(tx: Tx): Promise<CountedSetUp>;
}
