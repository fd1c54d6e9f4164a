import { err, ok, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import { type AttemptEventName, nextAttemptState } from './attempt-transitions.js';
import { backoffMs, mayRetry, mayRetryCompensation } from './retry-policy.js';
import type { RunStep, StepError } from './run.js';

/** The answer to a dispatch, as the dispatcher gives it. */
export type StepAnswer =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly error: StepError }
  | { readonly kind: 'unknown'; readonly error: StepError };

/** Why an attempt was given up. */
export const WORKER_LOST: StepError = {
  code: 'run.worker_lost',
  message: 'The worker that sent the call was lost before the answer was written.',
};

/** Why an attempt that a backup still shows as under way is taken for unknown. */
export const RESTORED: StepError = {
  code: 'run.restored',
  message: 'The database was restored from a backup, so that the result of the call is not known here.',
};

/** The step with its call, or the call that undoes it, out: a new attempt, a new fence, a lease. */
export function dispatched(
  step: RunStep,
  purpose: 'call' | 'compensation',
  now: number,
  leaseUntil: number,
): Result<RunStep> {
  const out = { fence: step.fence + 1, leaseUntil: Math.max(leaseUntil, now), retryAt: null };
  if (purpose === 'call') {
    const again = step.state === 'dispatched' ? ok(step) : moved(step, 'dispatch');
    if (!again.ok) return again;
    return ok({ ...again.value, ...out, attempts: step.attempts + 1, resolvedAs: null });
  }
  const again = step.state === 'compensating' ? ok(step) : moved(step, 'compensate');
  if (!again.ok) return again;
  const failures = step.state === 'compensating' ? step.failures : 0;
  return ok({ ...again.value, ...out, failures, compensations: step.compensations + 1 });
}

/**
 * The step after an answer. An idempotent call with an unknown effect may be tried again; any other unknown effect makes the step
 * `unknown`.
 */
export function answered(step: RunStep, answer: StepAnswer, now: number): Result<RunStep> {
  return step.state === 'compensating' ? compensationAnswered(step, answer, now) : callAnswered(step, answer, now);
}

function callAnswered(step: RunStep, answer: StepAnswer, now: number): Result<RunStep> {
  if (answer.kind === 'succeeded') {
    return moved({ ...step, leaseUntil: null, failures: 0, error: null, finishedAt: now }, 'succeed');
  }
  const failed = { ...step, leaseUntil: null, failures: step.failures + 1, error: answer.error, finishedAt: now };
  if (answer.kind === 'unknown' && step.kind === 'call' && !mayRetry(failed)) return lost(failed, 'call');
  return moved(failed, 'fail');
}

function compensationAnswered(step: RunStep, answer: StepAnswer, now: number): Result<RunStep> {
  if (answer.kind === 'succeeded') return moved({ ...step, leaseUntil: null, failures: 0, error: null }, 'undo');
  const failed = { ...step, leaseUntil: null, failures: step.failures + 1, error: answer.error };
  if (
    mayRetryCompensation({
      compensation: { idempotent: step.compensationIdempotent === true },
      failures: failed.failures,
    })
  ) {
    return ok({ ...failed, retryAt: now + backoffMs(failed.failures) });
  }
  return answer.kind === 'unknown' ? lost(failed, 'compensation') : moved(failed, 'fail_to_undo');
}

/** The step after its worker was lost, if it is not sent again now. Only a call that is not idempotent becomes `unknown`. */
export function givenUp(step: RunStep, now: number): Result<RunStep> {
  const idle = { ...step, leaseUntil: null, error: WORKER_LOST };
  if (step.state === 'compensating') {
    return step.compensationIdempotent === true ? ok({ ...idle, retryAt: now }) : lost(idle, 'compensation');
  }
  if (step.idempotent) return moved({ ...idle, failures: step.failures + 1, finishedAt: now }, 'fail');
  return lost({ ...idle, finishedAt: now }, 'call');
}

/** The step after a restore from a backup: its call may have been made since, so it is `unknown`. */
export function restored(step: RunStep, now: number): Result<RunStep> {
  const idle = { ...step, leaseUntil: null, error: RESTORED };
  return step.state === 'compensating' ? lost(idle, 'compensation') : lost({ ...idle, finishedAt: now }, 'call');
}

/** The failed step put back, to be tried again after a pause that grows with its failures. */
export function retried(step: RunStep, now: number): Result<RunStep> {
  return moved(
    { ...step, retryAt: Math.max(now, (step.finishedAt ?? now) + backoffMs(step.failures)), finishedAt: null },
    'retry',
  );
}

/** The failed step put back by a person, to be tried at once and with all its tries. */
export function putBack(step: RunStep): Result<RunStep> {
  return moved({ ...step, failures: 0, retryAt: null, finishedAt: null, error: null }, 'retry');
}

/** A person's finding, or the wish to retry. */
export type Resolution = 'happened' | 'did_not' | 'retry';

/**
 * The step after a person resolved it, state by state: each is one legal change, and the last is where it ends. `retry`
 * starts an idempotent call again; one that is not idempotent only after somebody has stated, with a note of its own, that
 * it did not happen (invariant 6).
 */
export function resolved(step: RunStep, resolution: Resolution, now: number): Result<readonly RunStep[]> {
  if (resolution === 'retry') return retriedByPerson(step, now);
  const known = resolvedAs(step, resolution, now);
  return known.ok ? ok([known.value]) : known;
}

function resolvedAs(step: RunStep, resolution: 'happened' | 'did_not', now: number): Result<RunStep> {
  if (step.state !== 'unknown') {
    return err({
      kind: 'conflict',
      code: 'run_step.not_unknown',
      message: `The step is ${stateInWords(step.state)}: there is nothing unknown about it.`,
      action: 'Get the run; only steps that are unknown are resolved.',
      details: { state: step.state },
    });
  }
  const next = { ...step, unknownOf: null, resolvedAs: resolution, finishedAt: step.finishedAt ?? now };
  if (step.unknownOf === 'compensation') {
    return moved({ ...next, failures: 0 }, resolution === 'happened' ? 'resolve_undone' : 'resolve_not_undone');
  }
  return moved(next, resolution === 'happened' ? 'resolve_happened' : 'resolve_did_not');
}

function retriedByPerson(step: RunStep, now: number): Result<readonly RunStep[]> {
  const compensation = step.unknownOf === 'compensation';
  const idempotent = compensation ? step.compensationIdempotent === true : step.idempotent;
  const allowed =
    step.state === 'unknown' ? idempotent : step.state === 'failed' && (idempotent || step.resolvedAs === 'did_not');
  if (!allowed) {
    return err({
      kind: 'conflict',
      code: 'run_step.retry_needs_did_not',
      message: 'The call is not idempotent: it is sent again only after somebody has stated that it did not happen.',
      action: 'Find out; if it did not happen, resolve the step as "did_not", then as "retry".',
      details: { state: step.state },
    });
  }
  const failed = step.state === 'failed' ? ok(step) : resolvedAs(step, 'did_not', now);
  if (!failed.ok) return failed;
  // A compensation that did not happen is taken up again by the rollback itself.
  if (compensation) return ok([failed.value]);
  const back = putBack(failed.value);
  if (!back.ok) return back;
  return ok(step.state === 'failed' ? [back.value] : [failed.value, back.value]);
}

const lost = (step: RunStep, unknownOf: 'call' | 'compensation'): Result<RunStep> =>
  moved({ ...step, unknownOf }, 'lose');

function moved(step: RunStep, event: AttemptEventName): Result<RunStep> {
  const state = nextAttemptState(step.state, event);
  return state.ok ? ok({ ...step, state: state.value }) : state;
}
