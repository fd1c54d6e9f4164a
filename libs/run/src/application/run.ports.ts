import type { ApprovalSubject } from '#lib/approval';
import type { ApprovalBinding, ApprovalFacts } from '#lib/contracts';
import type { PlanId, RunId, SimulationId, TaskId, Tx } from '#lib/kernel';
import type { Run } from '../domain/run.js';

/** Everything that stands before a run in the order of locks, locked and read. */
export interface RunContext {
  readonly subject: ApprovalSubject;
  /** The consumed request behind the run as it stands now; null where policy asked for no approval. */
  readonly approval: ApprovalFacts | null;
  /** People whose approvals count and who are disabled by now. */
  readonly disabledReviewers: readonly string[];
  /** What was bound when it was approved, or planned. */
  readonly binding: ApprovalBinding;
}

/** What the simulation stage hears from runs. */
export interface SimulationRecords {
  /** A run has begun to touch these targets: what was predicted before, for other runs on them, no longer counts. */
  outdate(tx: Tx, touched: { readonly run: Run; readonly targets: readonly string[]; readonly at: number }): Promise<void>;
  /** Whether a prediction no longer counts. */
  isStale(tx: Tx, simulationId: SimulationId): Promise<boolean>;
  /** What came of the run that this simulation predicted. */
  recordOutcome(
    tx: Tx,
    outcome: {
      readonly simulationId: SimulationId;
      readonly runId: RunId;
      readonly planId: PlanId;
      readonly taskId: TaskId;
      readonly affectedAssets: number;
      readonly durationMinutes: number;
      readonly succeeded: boolean;
      readonly at: number;
    },
  ): Promise<void>;
}

/** How this installation executes. */
export interface RunSettings {
  /** How much longer than a tool's time limit its answer is waited for before its worker counts as lost. */
  readonly leaseMarginMs: number;
  /** Multiplies the waits after batches; 1 but in a demonstration, and other values say so in the run's events. */
  readonly waitScale: number;
}
