import type { Json } from '#lib/canonical';
import { newId, type RunId, type Tx } from '#lib/kernel';
import { judgeHealth } from '../domain/judge-health.js';
import type { HealthResult, Run } from '../domain/run.js';
import type { BatchView } from '../domain/run-view.js';
import type { RunRepository } from './run.repository.js';

/** Judges the health checks after a batch by the phase's condition, and keeps the metrics. */
export class EvaluateHealth {
  constructor(private readonly runs: RunRepository) {}

  async execute(tx: Tx, run: Run, batch: BatchView, now: number): Promise<HealthResult> {
    const results: ReadonlyMap<string, Json> = await this.runs.healthCheckResults(tx, run.id, batch);
    const judged = judgeHealth(batch.rollbackIf, results);
    const health: HealthResult = {
      phaseIndex: batch.phaseIndex,
      batchIndex: batch.batchIndex,
      healthRound: run.healthRound,
      condition: batch.rollbackIf,
      evaluatedAt: now,
      ...judged,
    };
    await this.runs.insertHealthResult(tx, run.id, newId<RunId>(), health);
    return health;
  }
}
