import type { EnvironmentId, PageRequest, PlanId, RunId, SimulationId, Tx } from '#lib/kernel';
import type { Simulation, SimulationReason } from '../domain/simulation.js';
import type { AccuracyRow, SimulationOutcome } from '../domain/outcome.js';

/** Simulations of the transaction's tenant. Locks are taken after the plan's. */
export interface SimulationRepository {
  insert(tx: Tx, simulation: Simulation): Promise<void>;
  find(tx: Tx, id: SimulationId): Promise<Simulation | null>;
  lock(tx: Tx, id: SimulationId): Promise<Simulation | null>;
  /** The one that counts for a plan. It is the latest that came to a result, stale or not, else the latest of all. */
  counting(tx: Tx, planId: PlanId): Promise<Simulation | null>;
  /** Newest first. */
  list(tx: Tx, planId: PlanId, page: PageRequest): Promise<readonly Simulation[]>;
  /** Writes the members that change: state, times, fence, result and reasons. */
  save(tx: Tx, simulation: Simulation): Promise<void>;
  /** Keeps the lease of the attempt `fence`. @returns false if another attempt counts by now. */
  renew(tx: Tx, id: SimulationId, fence: number, nextAt: number): Promise<boolean>;
  /** Ends the lease of the attempt `fence`, so that another begins at `nextAt`; nothing if another attempt counts by now. */
  giveBack(tx: Tx, id: SimulationId, fence: number, nextAt: number): Promise<void>;
  /**
   * Of every plan of this environment that changes one of the targets: outdates results, and starts over simulations in
   * progress.
   *
   * @param targets a target of the environment as a whole stands for every one.
   * @returns the simulations with outdated results.
   */
  outdate(
    tx: Tx,
    environmentId: EnvironmentId,
    targets: readonly string[],
    reason: SimulationReason,
    at: number,
  ): Promise<readonly { readonly id: SimulationId; readonly planId: PlanId }[]>;
}

/** Predicted beside actual, insert-only. */
export interface SimulationOutcomeRepository {
  insert(tx: Tx, runId: RunId, outcomes: readonly SimulationOutcome[]): Promise<void>;
  /** By tool, over every run that has ended. */
  accuracy(tx: Tx): Promise<readonly AccuracyRow[]>;
}
