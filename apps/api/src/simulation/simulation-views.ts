import type { AutonomyLine } from '#lib/autonomy';
import type { ExplainedSimulationView, SimulationAccuracyView, SimulationView } from '#lib/api-schemas';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import type { AccuracyRow, ExplainedSimulation, Simulation } from '#lib/simulation';
import { explanationView, submitterView } from '../task/task-views.js';

export function simulationView(simulation: Simulation): SimulationView {
  const output = 'output' in simulation ? simulation.output : null;
  return {
    id: simulation.id,
    plan_id: simulation.planId,
    plan_digest: simulation.planDigest,
    state: simulation.state,
    result: output?.value ?? null,
    digest: output?.digest ?? null,
    failure: simulation.state === 'failed' ? { ...simulation.failure } : null,
    stale_reason: simulation.state === 'stale' ? { ...simulation.staleReason } : null,
    requested_by: submitterView(simulation.submitter),
    created_at: toTimestamp(simulation.createdAt),
    started_at: 'startedAt' in simulation ? toTimestamp(simulation.startedAt) : null,
    finished_at: 'finishedAt' in simulation ? toTimestamp(simulation.finishedAt) : null,
    expires_at: simulation.state === 'succeeded' ? toTimestampOrNull(simulation.nextAt) : null,
  };
}

export const explainedSimulationView = (
  { simulation, decision }: ExplainedSimulation,
  line: AutonomyLine | null,
): ExplainedSimulationView => ({
  ...simulationView(simulation),
  explanation: explanationView(decision, line),
});

export const accuracyView = (rows: readonly AccuracyRow[]): SimulationAccuracyView => ({
  tools: rows.map((row) => ({
    tool: row.tool,
    runs: row.runs,
    calls: row.calls,
    failed_calls: row.failedCalls,
    predicted_assets: row.predictedAssets,
    actual_assets: row.actualAssets,
    exact_runs: row.exactRuns,
    predicted_minutes: row.predictedMinutes,
    actual_minutes: row.actualMinutes,
  })),
});
