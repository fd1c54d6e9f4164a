import type { Json, JsonObject } from '#lib/canonical';
import { newId, type RunId, type Tx } from '#lib/kernel';
import { judgeHealth } from '../domain/judge-health.js';
import { paused, rollingBack } from '../domain/run-changes.js';
import type { ExecutingRun, HealthResult, RunReason } from '../domain/run.js';
import type { BatchView } from '../domain/run-view.js';
import type { MoveRun } from './move-run.js';
import type { RunJournal } from './run-journal.js';
import type { RunRepository } from './run.repository.js';

/**
 * Judges the health checks after a batch by the phase's condition, and keeps the metrics. The run rolls back if the condition is
 * met, and pauses if nothing can be said.
 */
export class EvaluateHealth {
  constructor(
    private readonly runs: Pick<RunRepository, 'healthCheckResults' | 'insertHealthResult' | 'save'>,
    private readonly journal: RunJournal,
    private readonly moves: MoveRun,
  ) {}

  async execute(tx: Tx, run: ExecutingRun, batch: BatchView, now: number): Promise<void> {
    const results: ReadonlyMap<string, Json> = await this.runs.healthCheckResults(tx, run.id, batch);
    const health: HealthResult = {
      phaseIndex: batch.phaseIndex,
      batchIndex: batch.batchIndex,
      healthRound: run.healthRound,
      condition: batch.rollbackIf,
      evaluatedAt: now,
      ...judgeHealth(batch.rollbackIf, results),
    };
    await this.runs.insertHealthResult(tx, run.id, newId<RunId>(), health);
    const facts = factsOf(health);
    const recorded = await this.journal.recordOwn(tx, run, { type: 'run.health_evaluated', data: facts, at: now });
    const reason = (code: string): RunReason => ({ code, message: health.explanation, details: facts });
    switch (health.verdict) {
      case 'healthy':
        return this.runs.save(tx, { ...recorded, nextAt: now, updatedAt: now });
      case 'unclear':
        await this.moves.execute(tx, 'pause', paused(recorded, reason('run.health_unclear'), now), { at: now });
        return;
      case 'roll_back': {
        const back = rollingBack(recorded, reason('run.rollback_condition_met'), now);
        await this.moves.execute(tx, 'roll_back', back, { at: now });
      }
    }
  }
}

const factsOf = (health: HealthResult): JsonObject => ({
  phase_index: health.phaseIndex,
  batch_index: health.batchIndex,
  verdict: health.verdict,
  condition: health.condition,
  metrics: { ...health.metrics },
  explanation: health.explanation,
});
