import { requireSeal, type RowSeals, type RunId, type Tx } from '#lib/kernel';
import type { RunRepository } from '../application/run.repository.js';
import type { QueuedRun, Run } from '../domain/run.js';
import type { PendingStep } from '../domain/run-step.js';
import * as haltedRuns from './sql-halted-runs.js';
import * as healthResultTable from './sql-health-result-table.js';
import * as runEventTable from './sql-run-event-table.js';
import { sealedRun } from './run-seal.js';
import * as runStepTable from './sql-run-step-table.js';
import * as runTable from './sql-run-table.js';
import * as stepAttemptTable from './sql-step-attempt-table.js';
import * as targetLockTable from './sql-target-lock-table.js';

/** Runs in PostgreSQL: one module for each table, and one for the questions of halts across them. */
export class SqlRunRepository implements RunRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, run: QueuedRun, steps: readonly PendingStep[]): Promise<void> {
    await runTable.insert(tx, run, steps, await this.seals.seal(sealedRun(tx, run)));
  }

  async lockToAdvance(tx: Tx, id: RunId): Promise<Run | null> {
    const found = await runTable.lockSealed(tx, id);
    if (found === null) return null;
    await requireSeal(this.seals, sealedRun(tx, found.run), found.seal);
    return found.run;
  }

  readonly find = runTable.find;
  readonly lock = runTable.lock;
  readonly findLive = runTable.findLive;
  readonly list = runTable.list;
  readonly ofPlan = runTable.ofPlan;
  readonly save = runTable.save;

  readonly steps = runStepTable.steps;
  readonly stepsAhead = runStepTable.stepsAhead;
  readonly findStep = runStepTable.findStep;
  readonly lockInFlight = runStepTable.lockInFlight;
  readonly insertSteps = runStepTable.insertSteps;
  readonly saveStep = runStepTable.saveStep;

  readonly insertAttempt = stepAttemptTable.insertAttempt;
  readonly attempts = stepAttemptTable.attempts;
  readonly findAttempt = stepAttemptTable.findAttempt;
  readonly latestAttempt = stepAttemptTable.latestAttempt;
  readonly failedHalfway = stepAttemptTable.failedHalfway;
  readonly finishAttempt = stepAttemptTable.finishAttempt;
  readonly keepLate = stepAttemptTable.keepLate;

  readonly healthCheckResults = healthResultTable.healthCheckResults;
  readonly insertHealthResult = healthResultTable.insertHealthResult;
  readonly healthResults = healthResultTable.healthResults;

  readonly appendEvent = runEventTable.appendEvent;
  readonly events = runEventTable.events;

  readonly acquireTargets = targetLockTable.acquireTargets;
  readonly releaseTargets = targetLockTable.releaseTargets;

  readonly inFlight = haltedRuns.inFlight;
  readonly liveRuns = haltedRuns.liveRuns;
}
