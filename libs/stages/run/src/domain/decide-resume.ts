import { err, type Failure, ok, type Result } from '#lib/kernel';
import { alreadyRequested } from './decide-request.js';
import { RUN_STATE_WORDS } from './run-transitions.js';
import type { RunView, StepView } from './run-view.js';
import { stepsOf } from './run-view.js';

/** The first things that a resumed run does. */
export interface Resume {
  readonly event: 'resume' | 'roll_back';
  /** Failed calls that are put back, to be tried again. */
  readonly retry: readonly string[];
  /** The batch that gets new health checks. */
  readonly recheck: { readonly phaseIndex: number; readonly batchIndex: number } | null;
}

/**
 * How a paused run goes on: forward, or on with its rollback. Failed calls are tried again if they are idempotent, or
 * if no executor took them. Any other cannot start twice, so that such a run rolls back or is cancelled. If somebody has been told that it will be
 * rolled back or cancelled, it is not resumed. A request to pause does not refuse it: the paused run has met it.
 */
export function decideResume(view: RunView): Result<Resume> {
  if (view.state !== 'paused') return err(notPaused(view));
  const steps = stepsOf(view);
  const unknown = steps.find((step) => step.state === 'unknown');
  if (unknown !== undefined) return err(effectUnknown(unknown));
  if (view.requested === 'roll_back' || view.requested === 'cancel') return err(alreadyRequested(view.requested));
  if (view.rollingBack) return ok({ event: 'roll_back', retry: [], recheck: null });
  const failed = steps.filter((step) => step.kind === 'call' && step.state === 'failed');
  const stuck = failed.find((step) => !step.idempotent && !step.untaken);
  if (stuck !== undefined) return err(cannotRetry(stuck));
  return ok({ event: 'resume', retry: failed.map((step) => step.id), recheck: batchToRecheck(view) });
}

/** The first batch that has been called and not been found healthy, if its checks have begun. */
function batchToRecheck(view: RunView): Resume['recheck'] {
  const batch = view.batches.find((candidate) => !candidate.healthy);
  if (batch?.calls.every((call) => call.state === 'succeeded') !== true) return null;
  const settled = batch.healthChecks.every((check) => check.state === 'succeeded');
  const failed = batch.healthChecks.some((check) => check.state === 'failed');
  return failed || settled ? { phaseIndex: batch.phaseIndex, batchIndex: batch.batchIndex } : null;
}

const notPaused = ({ state }: RunView): Failure => ({
  kind: 'conflict',
  code: 'run.wrong_state',
  message: `Only a paused run is resumed, and this one ${RUN_STATE_WORDS[state]}.`,
  action: 'Get the run and see what its state allows.',
  details: { state },
});

const effectUnknown = (step: StepView): Failure => ({
  kind: 'conflict',
  code: 'run.effect_unknown',
  message: 'Nobody can say whether a step happened.',
  action: 'Find out, and resolve the step first.',
  details: { run_step_id: step.id },
});

const cannotRetry = (step: StepView): Failure => ({
  kind: 'conflict',
  code: 'run.step_failed',
  message: 'A step that is not idempotent failed: it does not start twice.',
  action: 'Roll the run back or cancel it, and submit a revised plan.',
  details: { run_step_id: step.id },
});
