import type { DecisionId, Digest, PlanId, RunId, SimulationId } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { SimulatedPlan } from './aggregate-results.js';

/** The reason that a simulation failed or no longer counts. */
export interface SimulationReason {
  readonly code: string;
  readonly message: string;
  /** The run that touched the targets, as it is stored and shown. */
  readonly details?: { readonly run_id: RunId };
}

/** The prediction with the bytes it is stored and digested as. */
export interface SimulationOutput {
  readonly value: SimulatedPlan;
  /** Canonical JSON. */
  readonly text: string;
  /** Digest of `text`, kind `simulation`. */
  readonly digest: Digest;
}

interface SimulationRecord {
  readonly id: SimulationId;
  readonly planId: PlanId;
  /** Of exactly the expanded plan that is simulated. */
  readonly planDigest: Digest;
  /** The decision that let it be asked for. */
  readonly decisionId: DecisionId;
  readonly submitter: Submitter;
  /** Counts attempts to execute it; a result of an older attempt is not written. */
  readonly fence: number;
  /** The time at which a worker looks at it again, epoch milliseconds. */
  readonly nextAt: number | null;
  readonly createdAt: number;
}

export interface PendingSimulation extends SimulationRecord {
  readonly state: 'pending';
}
export interface RunningSimulation extends SimulationRecord {
  readonly state: 'running';
  readonly startedAt: number;
}
export interface FailedSimulation extends SimulationRecord {
  readonly state: 'failed';
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly failure: SimulationReason;
}
export interface SucceededSimulation extends SimulationRecord {
  readonly state: 'succeeded';
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly output: SimulationOutput;
}
export interface StaleSimulation extends SimulationRecord {
  readonly state: 'stale';
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly output: SimulationOutput;
  readonly staleReason: SimulationReason;
}

/** A prediction of the effect of one plan. */
export type Simulation =
  | PendingSimulation
  | RunningSimulation
  | FailedSimulation
  | SucceededSimulation
  | StaleSimulation;

const MINUTE_MS = 60_000;

/** How long a result counts if the tenant says nothing (the policies' own default). */
export const DEFAULT_VALID_MINUTES = 1_440;

/** Until when a result counts, epoch milliseconds. */
export const expiryOf = (simulation: Pick<SucceededSimulation, 'finishedAt'>, validMinutes: number): number =>
  simulation.finishedAt + validMinutes * MINUTE_MS;
