import type { RunId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AccuracyRow, SimulationOutcome } from '../domain/outcome.js';
import type { SimulationOutcomeRepository } from './simulation.ports.js';

/** Keeps the outcomes of runs in memory, beside their predictions. */
export class FakeSimulationOutcomeRepository implements SimulationOutcomeRepository {
  readonly #outcomes: FakeTable<SimulationOutcome>;

  constructor(database: FakeUnitOfWork) {
    this.#outcomes = new FakeTable(database);
  }

  insert(tx: Tx, runId: RunId, outcomes: readonly SimulationOutcome[]): Promise<void> {
    const kept = this.#outcomes.of(tx);
    for (const outcome of outcomes) {
      const key = `${runId} ${outcome.tool}`;
      if (kept.has(key)) throw new FakeRefusal('23505', 'simulation_outcome_tool_unique');
      kept.set(key, outcome);
    }
    return Promise.resolve();
  }

  accuracy(tx: Tx): Promise<readonly AccuracyRow[]> {
    const byTool = new Map<string, AccuracyRow>();
    for (const { tool, predicted, actual } of this.#outcomes.of(tx).values()) {
      const row = byTool.get(tool) ?? { ...NONE, tool };
      byTool.set(tool, {
        tool,
        runs: row.runs + 1,
        calls: row.calls + actual.calls,
        failedCalls: row.failedCalls + actual.failed,
        predictedAssets: row.predictedAssets + predicted.affected_assets,
        actualAssets: row.actualAssets + actual.affected_assets,
        exactRuns: row.exactRuns + (predicted.affected_assets === actual.affected_assets ? 1 : 0),
        predictedMinutes: row.predictedMinutes + predicted.duration_minutes,
        actualMinutes: row.actualMinutes + actual.duration_minutes,
      });
    }
    return Promise.resolve([...byTool.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1)));
  }

  /** The outcomes of a run, in the order of their insertion. */
  of(tx: Pick<Tx, 'tenantId'>, runId: RunId): readonly SimulationOutcome[] {
    return [...this.#outcomes.of(tx)].flatMap(([key, outcome]) => (key.startsWith(`${runId} `) ? [outcome] : []));
  }
}

const NONE: Omit<AccuracyRow, 'tool'> = {
  runs: 0,
  calls: 0,
  failedCalls: 0,
  predictedAssets: 0,
  actualAssets: 0,
  exactRuns: 0,
  predictedMinutes: 0,
  actualMinutes: 0,
};
