import type { Json } from '#lib/canonical';
import type { ChangeRequestId, ImpactReportId, Tx } from '#lib/kernel';
import type { ImpactReport } from '../domain/impact-report.js';
import type { PresentWorld } from '../domain/proposed-world.js';
import type { Stratum } from '../domain/strata.js';
import type { MalformedDecision, LocatedDecision } from '../domain/located-decision.js';

/** The right of one worker to work on a report, until a moment. A worker that was lost leaves nothing locked. */
export interface Lease {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** When a report is worked on again: by its lease, or by any worker from a moment on; null for never. */
export type NextTurn = { readonly lease: Lease } | { readonly at: number } | null;

/** The reports of a tenant. */
export interface ImpactReportRepository {
  insert(tx: Tx, report: ImpactReport): Promise<void>;
  /** Leases a report that is due, and counts the attempt. Null if it is not due or not there, or if another worker has it. */
  lease(tx: Tx, id: ImpactReportId, lease: Lease): Promise<ImpactReport | null>;
  /** The report as it is kept, locked, while the lease holds; else null. */
  held(tx: Tx, id: ImpactReportId, token: string): Promise<ImpactReport | null>;
  /** Keeps a leased report. @returns false if the lease is over, since the change ended or another worker has it. */
  save(tx: Tx, report: ImpactReport, token: string, next: NextTurn): Promise<boolean>;
  find(tx: Tx, id: ImpactReportId): Promise<ImpactReport | null>;
  ofChange(tx: Tx, changeId: ChangeRequestId): Promise<ImpactReport | null>;
  /** How many of the reports that no change request has are unfinished. */
  unfinished(tx: Tx): Promise<number>;
  /** Ends the work on the report of a change request, if there is one. A report that is done stays as it is. */
  closeOfChange(tx: Tx, changeId: ChangeRequestId, at: number): Promise<void>;
  /** Makes the finished reports of other changes due, since settings have moved. @returns their ids, those that a worker has left out. */
  lookAgain(tx: Tx, besides: ChangeRequestId, at: number): Promise<readonly ImpactReportId[]>;
  /** Deletes reports that no change request has and that were asked for before a moment. */
  drop(tx: Tx, before: number): Promise<void>;
}

/** A stretch of the log of decisions, epoch milliseconds. */
export interface LogPeriod {
  readonly since: number;
  /** Exclusive. */
  readonly until: number;
}

/** The log of decisions, as an impact reads it. */
export interface StoredDecisions {
  /** The months of the period without their decisions in the database, as `2026-01`, the oldest first. */
  monthsAway(tx: Tx, period: LogPeriod): Promise<readonly string[]>;
  /** How many decisions of each kind and outcome the period has. */
  count(tx: Tx, period: LogPeriod): Promise<readonly Omit<Stratum, 'part'>[]>;
  /** The next decisions of the sample in the order of the log. Whether one is chosen depends on its id and its stratum alone. */
  batch(
    tx: Tx,
    period: LogPeriod,
    from: { readonly after: string | null; readonly strata: readonly Stratum[]; readonly limit: number },
  ): Promise<readonly (LocatedDecision | MalformedDecision)[]>;
}

/** Reads everything that inputs of policies take from, as it stands. */
export interface WorldReader {
  present(tx: Tx): Promise<PresentWorld>;
}

/** Names the settings that inputs of policies take from. Another stamp: one of them has moved. */
export interface SettingsStamps {
  present(tx: Tx): Promise<string>;
}

/** The change requests that reports are about. */
export interface AskedChanges {
  /** Null if it waits no more. */
  waiting(tx: Tx, id: ChangeRequestId): Promise<{ readonly kind: string; readonly payload: Json } | null>;
}

/** Names of agents by their ids; an id without an agent is left out. */
export interface AgentNames {
  names(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
