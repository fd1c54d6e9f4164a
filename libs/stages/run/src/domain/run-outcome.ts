import type { ExpandedPlan } from '#lib/formats';
import { invocationOf } from './plan-steps.js';
import type { NotUndone, Run, RunOutcome } from './run.js';
import type { RunStep } from './run-step.js';
import type { FinishedRunState } from './run-transitions.js';

/**
 * The outcome of a run when it ends. `failedHalfway` has the steps with a failed attempt that may have changed something.
 */
export function runOutcome(
  run: Run,
  plan: ExpandedPlan,
  steps: readonly RunStep[],
  end: { readonly state: FinishedRunState; readonly at: number; readonly failedHalfway: ReadonlySet<string> },
): RunOutcome {
  const calls = steps.filter((step) => step.kind === 'call');
  const touched = calls.filter(
    (step) => step.changes && step.attempts > 0 && (step.state !== 'failed' || end.failedHalfway.has(step.id)),
  );
  const assets = new Set(touched.flatMap((step) => invocationOf(plan, step, 'call')?.targets ?? []));
  return {
    duration_minutes: run.startedAt === null ? 0 : Math.round((end.at - run.startedAt) / 600) / 100,
    affected_assets: assets.size,
    calls: {
      succeeded: count(calls, 'succeeded'),
      failed: count(calls, 'failed'),
      compensated: count(calls, 'compensated'),
      not_started: count(calls, 'pending'),
    },
    not_undone: end.state === 'completed' ? [] : calls.flatMap((step) => notUndone(step, end)),
  };
}

const count = (steps: readonly RunStep[], state: RunStep['state']): number =>
  steps.filter((step) => step.state === state).length;

function notUndone(
  step: RunStep,
  end: { readonly state: FinishedRunState; readonly failedHalfway: ReadonlySet<string> },
): readonly NotUndone[] {
  const why = whyNotUndone(step, end);
  if (why === null) return [];
  return [{ step_id: step.stepId, seq: step.seq, tool: `${step.toolName}@${String(step.toolVersion)}`, why }];
}

function whyNotUndone(
  step: RunStep,
  end: { readonly state: FinishedRunState; readonly failedHalfway: ReadonlySet<string> },
): NotUndone['why'] | null {
  if (!step.changes) return null;
  if (step.state === 'compensation_failed') return 'compensation_failed';
  if (step.state === 'failed') return end.failedHalfway.has(step.id) ? 'failed_halfway' : null;
  if (step.state !== 'succeeded') return null;
  const rolledBack = end.state === 'rolled_back' || end.state === 'rollback_failed';
  return rolledBack ? 'no_compensation' : 'not_rolled_back';
}
