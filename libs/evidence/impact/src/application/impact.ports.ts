import type { Json } from '#lib/canonical';
import type { ChangeRequestId, ImpactReportId, Tx } from '#lib/kernel';
import type { ImpactReport } from '../domain/impact-report.js';
import type { PresentWorld } from '../domain/proposed-world.js';
import type { Stratum } from '../domain/strata.js';
import type { PlacedDecision } from '../domain/tally.js';

/** The reports of a tenant. */
export interface ImpactReportRepository {
  insert(tx: Tx, report: ImpactReport): Promise<void>;
  /** Locks it for one batch of work. Null if it is finished, if it is not there, or if another worker holds it. */
  take(tx: Tx, id: ImpactReportId): Promise<ImpactReport | null>;
  save(tx: Tx, report: ImpactReport): Promise<void>;
  find(tx: Tx, id: ImpactReportId): Promise<ImpactReport | null>;
  ofChange(tx: Tx, changeId: ChangeRequestId): Promise<ImpactReport | null>;
  /** How many of the reports that no change request has are unfinished. */
  unfinished(tx: Tx): Promise<number>;
  /** Ends the unfinished report of a change request, if there is one. */
  cancelOfChange(tx: Tx, changeId: ChangeRequestId, at: number): Promise<void>;
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
  /** How many decisions of each kind and outcome the period has. */
  count(tx: Tx, period: LogPeriod): Promise<readonly Omit<Stratum, 'part'>[]>;
  /** The next decisions of the sample in the order of the log. Whether one is chosen depends on its id and its stratum alone. */
  batch(
    tx: Tx,
    period: LogPeriod,
    from: { readonly after: string | null; readonly strata: readonly Stratum[]; readonly limit: number },
  ): Promise<readonly PlacedDecision[]>;
}

/** Reads everything that inputs of policies take from, as it stands. */
export interface WorldReader {
  present(tx: Tx): Promise<PresentWorld>;
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
