import type { ExpandedPlan } from '#lib/formats';
import { buildViewAhead } from './build-run-view.js';
import { needsContext, nextAction } from './next-action.js';
import type { ActiveRun } from './run.js';
import type { InFlightStep, RunStep } from './run-step.js';
import { answered, type StepAnswer } from './step-changes.js';

/** A dispatched call, with the rows that its turn was decided from. */
export interface SentFrom {
  readonly run: ActiveRun;
  readonly plan: ExpandedPlan;
  /** As `nextAction` took them. */
  readonly steps: readonly RunStep[];
  /** The one among them in flight. */
  readonly step: InFlightStep;
}

/**
 * Whether the action after an answer needs the records before the run, as far as the sender knows. A request that came meanwhile is
 * unknown here. So the run decides again under its lock.
 *
 * @param now the time of the answer, in epoch milliseconds.
 */
export function foreseeContext(
  { run, plan, steps, step }: SentFrom,
  answer: StepAnswer,
  now: number,
  waitScale: number,
): boolean {
  const next = answered(step, answer, now);
  if (run.state === 'executing' && next.state === 'succeeded' && next.kind === 'call')
    return now < run.pauseBy && callFollows(plan, next, waitScale);
  const after = steps.map((each) => (each.id === next.id ? next : each));
  // A rollback looks at calls alone, so batches without a known step say nothing there either.
  return needsContext(nextAction(buildViewAhead(run, plan, after, waitScale), now));
}

/** Whether another call of the same batch follows at once. The turn before may have read no steps beyond this one, so the plan says it. */
function callFollows(plan: ExpandedPlan, { phaseIndex, batchIndex, seq }: RunStep, waitScale: number): boolean {
  const phase = plan.phases.find(({ index }) => index === phaseIndex);
  const batch = phase?.batches.find(({ index }) => index === batchIndex);
  if (phase === undefined || batch === undefined) return false;
  const waits = Math.round(phase.wait_seconds * 1_000 * waitScale) > 0;
  return batch.calls.some((call) => call.seq > seq) || (!waits && batch.health_checks.length > 0);
}
