import type { Json } from '#lib/canonical';
import type { ExpandedPlan } from '#lib/formats';
import type { ActualCall } from '#lib/simulation';
import { invocationOf } from './plan-steps.js';
import type { RunStep } from './run-step.js';
import type { StepAttempt } from './step-attempt.js';

/** The calls that a run made, for comparison with its prediction. */
export function actualCalls(
  plan: ExpandedPlan,
  steps: readonly RunStep[],
  attempts: readonly StepAttempt[],
): readonly ActualCall[] {
  const last = new Map(
    attempts
      .filter((attempt) => attempt.purpose === 'call' && attempt.finishedAt !== null)
      .map((attempt) => [attempt.stepId, attempt]),
  );
  return steps.flatMap((step): ActualCall[] => {
    const attempt = last.get(step.id);
    if (step.kind !== 'call' || attempt?.finishedAt == null) return [];
    const succeeded = attempt.outcome === 'succeeded';
    const targets = invocationOf(plan, step, 'call')?.targets.length ?? 0;
    return [
      {
        seq: step.seq,
        succeeded,
        affectedAssets: reportedAssets(attempt.result) ?? (succeeded ? targets : 0),
        durationMs: attempt.finishedAt - attempt.dispatchedAt,
      },
    ];
  });
}

/** How many assets the tool says it touched, if it says so. */
function reportedAssets(result: Json | null): number | null {
  if (result === null || typeof result !== 'object' || !('affected_assets' in result)) return null;
  const reported = result.affected_assets;
  return typeof reported === 'number' && Number.isInteger(reported) && reported >= 0 ? reported : null;
}
