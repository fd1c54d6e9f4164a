import { canonicalJson } from '#lib/canonical';
import { type DecisionId, digestText, newId, type SimulationId } from '#lib/kernel';
import type { Plan } from '#lib/plan';
import { aggregateResults } from '../domain/aggregate-results.js';
import type {
  FailedSimulation,
  PendingSimulation,
  RunningSimulation,
  SimulationOutput,
  StaleSimulation,
  SucceededSimulation,
} from '../domain/simulation.js';

const REASON = { code: 'simulation.sample', message: 'As the sample says.' };

/** A simulation of a plan that was just asked for. */
export const samplePending = (
  plan: Pick<Plan, 'id' | 'expansion' | 'submitter' | 'createdAt'>,
  members: Partial<PendingSimulation> = {},
): PendingSimulation => ({
  id: newId<SimulationId>(),
  planId: plan.id,
  planDigest: plan.expansion?.digest ?? digestText('plan', ''),
  decisionId: newId<DecisionId>(),
  submitter: plan.submitter,
  fence: 0,
  nextAt: plan.createdAt,
  createdAt: plan.createdAt,
  state: 'pending',
  ...members,
});

/** The prediction of one call on these targets. */
export function sampleOutput(targets: readonly string[] = ['web-1']): SimulationOutput {
  const call = {
    seq: 1,
    step_id: 'roll-canary',
    tool: 'rollout',
    tool_version: 1,
    targets: [...targets],
    simulation: 'done' as const,
    simulated_by: null,
    affected_assets: targets.length,
    estimated_duration_minutes: 2,
    predicted_risk: 'medium' as const,
    details: null,
  };
  const value = aggregateResults([call], ['error rate'], 0);
  const text = canonicalJson(value);
  return { value, text, digest: digestText('simulation', text) };
}

/** The same one, one attempt later. */
export const begun = (pending: PendingSimulation): RunningSimulation => ({
  ...pending,
  state: 'running',
  fence: pending.fence + 1,
  startedAt: pending.createdAt + 1,
});

export const succeeded = (running: RunningSimulation, output = sampleOutput()): SucceededSimulation => ({
  ...running,
  state: 'succeeded',
  finishedAt: running.startedAt + 1,
  output,
});

export const failed = (running: RunningSimulation): FailedSimulation => ({
  ...running,
  state: 'failed',
  nextAt: null,
  finishedAt: running.startedAt + 1,
  failure: REASON,
});

export const outdated = (simulation: SucceededSimulation, staleReason = REASON): StaleSimulation => ({
  ...simulation,
  state: 'stale',
  nextAt: null,
  staleReason,
});
