import type { ExpandedPlan } from '#lib/formats';
import { phasesOf } from './plan-steps.js';
import { isUntaken } from './retry-policy.js';
import type { HealthResult, Run } from './run.js';
import type { RunStep } from './run-step.js';
import type { BatchView, RunView, StepView } from './run-view.js';

/** A run's rows as `nextAction` reads them. `waitScale` shortens the waits after batches, in a demonstration only. */
export function buildRunView(
  run: Run,
  plan: ExpandedPlan,
  steps: readonly RunStep[],
  health: readonly Pick<HealthResult, 'phaseIndex' | 'batchIndex' | 'healthRound' | 'verdict'>[],
  waitScale: number,
): RunView {
  const byBatch = new Map<string, RunStep[]>();
  for (const step of steps) {
    const key = `${String(step.phaseIndex)}/${String(step.batchIndex)}`;
    const list = byBatch.get(key);
    if (list === undefined) byBatch.set(key, [step]);
    else list.push(step);
  }
  const healthy = new Set(
    health
      .filter((result) => result.verdict === 'healthy')
      .map((result) => `${String(result.phaseIndex)}/${String(result.batchIndex)}`),
  );
  const batches = phasesOf(plan, run.phases).flatMap((phase) =>
    phase.batches.map((batch): BatchView => {
      const key = `${String(phase.index)}/${String(batch.index)}`;
      const own = (byBatch.get(key) ?? []).toSorted((a, b) => a.position - b.position);
      const checks = own.filter((step) => step.kind === 'health_check');
      const latest = checks.reduce((round, step) => Math.max(round, step.healthRound), 0);
      return {
        phaseIndex: phase.index,
        batchIndex: batch.index,
        waitMs: Math.round(phase.wait_seconds * 1_000 * waitScale),
        rollbackIf: phase.rollback_if,
        calls: own.filter((step) => step.kind === 'call').map(stepView),
        healthRound: latest,
        healthChecks: checks.filter((step) => step.healthRound === latest).map(stepView),
        healthy: healthy.has(key),
      };
    }),
  );
  return {
    state: run.state,
    requested: run.requested,
    rollingBack: run.rollbackReason !== null,
    startAt: run.startAt,
    frozenUntil: frozenUntilOf(run),
    pauseBy: run.pauseBy,
    batches,
  };
}

/** The same of a run that goes forward, from its steps ahead alone: every batch without one was found healthy. */
export function buildViewAhead(run: Run, plan: ExpandedPlan, ahead: readonly RunStep[], waitScale: number): RunView {
  const view = buildRunView(run, plan, ahead, [], waitScale);
  return { ...view, batches: view.batches.filter(({ calls }) => calls.length > 0) };
}

const stepView = (step: RunStep): StepView => ({
  id: step.id,
  kind: step.kind,
  state: step.state,
  idempotent: step.idempotent,
  changes: step.changes,
  onFailure: step.onFailure,
  compensation: step.compensationIdempotent === null ? null : { idempotent: step.compensationIdempotent },
  dispatches: step.state === 'compensating' ? step.compensations : step.attempts,
  failures: step.failures,
  untaken: isUntaken(step.error),
  leaseUntil: step.leaseUntil,
  retryAt: step.retryAt,
  finishedAt: step.finishedAt,
});

/** When a run goes on by itself that is paused for a freeze; null for any other. */
export function frozenUntilOf({ state, reason }: Pick<Run, 'state' | 'reason'>): number | null {
  const until = state === 'paused' && reason?.code === 'freeze.active' ? reason.details?.until : undefined;
  return typeof until === 'string' ? Date.parse(until) : null;
}
