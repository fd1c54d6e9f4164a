import { err, ok, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import type { FromState, ToState } from './attempt-transitions.js';
import { backoffMs, isUntaken, mayOfferAgain, mayRetry, mayRetryCompensation, offerPauseMs } from './retry-policy.js';
import type {
  CompensatedStep,
  DispatchedStep,
  FailedStep,
  NotUndoneStep,
  InFlightStep,
  PendingStep,
  RunStep,
  StepError,
  StepIn,
  SucceededStep,
  UndoAgainStep,
  UndoingStep,
  UnknownStep,
} from './run-step.js';

/** The progress of a step that was never sent. */
export const UNTOUCHED = {
  state: 'pending',
  attempts: 0,
  compensations: 0,
  failures: 0,
  fence: 0,
  leaseUntil: null,
  retryAt: null,
  unknownOf: null,
  resolvedAs: null,
  error: null,
  finishedAt: null,
} as const satisfies Partial<PendingStep>;

/** The answer to a dispatch, as the dispatcher gives it. */
export type StepAnswer =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly error: StepError }
  | { readonly kind: 'unknown'; readonly error: StepError };

/** The reason why an attempt was given up. */
export const WORKER_LOST: StepError = {
  code: 'run.worker_lost',
  message: 'The worker that sent the call was lost before the answer was written.',
};

/** The reason why an attempt that a backup still shows as under way is taken for unknown. */
export const RESTORED: StepError = {
  code: 'run.restored',
  message: 'The database was restored from a backup, so that the result of the call is not known here.',
};

/** The lease of a dispatch. */
export interface Lease {
  readonly now: number;
  readonly until: number;
}

/** The step with its call in flight: a new attempt, a new fence, a lease. A lost worker's call is sent again from `dispatched`. */
export const dispatched = (
  step: StepIn<FromState<'dispatch'> | ToState<'dispatch'>>,
  lease: Lease,
): StepIn<ToState<'dispatch'>> => ({
  ...step,
  ...inFlight(step, lease),
  state: 'dispatched',
  attempts: step.attempts + 1,
  resolvedAs: null,
});

/** The same with the call that undoes the step. */
export const undoing = (step: StepIn<FromState<'compensate'> | ToState<'compensate'>>, lease: Lease): UndoingStep => ({
  ...step,
  ...inFlight(step, lease),
  state: 'compensating',
  failures: step.state === 'compensating' ? step.failures : 0,
  compensations: step.compensations + 1,
});

const inFlight = ({ fence }: RunStep, { now, until }: Lease) => ({
  fence: fence + 1,
  leaseUntil: Math.max(until, now),
  retryAt: null,
});

/**
 * The step after an answer. An idempotent call with an unknown effect may be tried again; any other unknown effect makes the step
 * `unknown`.
 */
export const answered = (step: InFlightStep, answer: StepAnswer, now: number): RunStep =>
  step.state === 'compensating' ? compensationAnswered(step, answer, now) : callAnswered(step, answer, now);

function callAnswered(
  step: DispatchedStep,
  answer: StepAnswer,
  now: number,
): StepIn<ToState<'succeed' | 'fail' | 'lose'>> {
  const idle = { ...step, leaseUntil: null, finishedAt: now };
  if (answer.kind === 'succeeded') return { ...idle, state: 'succeeded', failures: 0, error: null };
  const failed: FailedStep = { ...idle, state: 'failed', failures: step.failures + 1, error: answer.error };
  return answer.kind === 'unknown' && step.kind === 'call' && !mayRetry(failed) ? lost(failed, 'call') : failed;
}

function compensationAnswered(
  step: UndoingStep,
  answer: StepAnswer,
  now: number,
): UndoAgainStep | CompensatedStep | NotUndoneStep | UnknownStep {
  const idle = { ...step, leaseUntil: null };
  if (answer.kind === 'succeeded') return { ...idle, state: 'compensated', failures: 0, error: null };
  const failures = step.failures + 1;
  const failed = { ...idle, failures, error: answer.error };
  const compensation = { idempotent: step.compensationIdempotent === true };
  const offered = mayOfferAgain({ untaken: isUntaken(answer.error), failures });
  if (offered || mayRetryCompensation({ compensation, failures }))
    return { ...failed, retryAt: now + backoffMs(failures) };
  return answer.kind === 'unknown' ? lost(failed, 'compensation') : { ...failed, state: 'compensation_failed' };
}

/** The step after its worker was lost, if it is not sent again now. Only a call that is not idempotent becomes `unknown`. */
export function givenUp(step: InFlightStep, now: number): FailedStep | UnknownStep | UndoAgainStep {
  const idle = { leaseUntil: null, error: WORKER_LOST };
  if (step.state === 'compensating') {
    const idempotent = step.compensationIdempotent === true;
    return idempotent ? { ...step, ...idle, retryAt: now } : lost({ ...step, ...idle }, 'compensation');
  }
  const finished = { ...step, ...idle, finishedAt: now };
  return step.idempotent ? { ...finished, state: 'failed', failures: step.failures + 1 } : lost(finished, 'call');
}

/** The step after a restore from a backup: its call may have been made since, so it is `unknown`. */
export function restored(step: StepIn<FromState<'lose'>>, now: number): UnknownStep {
  const idle = { leaseUntil: null, error: RESTORED, retryAt: null };
  return step.state === 'compensating'
    ? lost({ ...step, ...idle }, 'compensation')
    : lost({ ...step, ...idle, finishedAt: now }, 'call');
}

/**
 * The failed step put back, to be tried again after a pause that grows with its failures.
 *
 * @param offerPausesMs the sum of the pauses of a call that its executor does not take.
 */
export function retried(step: FailedStep, now: number, offerPausesMs: number): PendingStep {
  const { failures } = step;
  const pauseMs = isUntaken(step.error) ? offerPauseMs(failures, offerPausesMs) : backoffMs(failures);
  return { ...step, state: 'pending', retryAt: Math.max(now, step.finishedAt + pauseMs), finishedAt: null };
}

/** The failed step put back by a person, to be tried at once and with all its tries. */
export const putBack = (step: FailedStep): PendingStep => ({
  ...step,
  state: 'pending',
  failures: 0,
  finishedAt: null,
  error: null,
});

/** A person's finding, or the wish to retry. */
export type Resolution = 'happened' | 'did_not' | 'retry';

/**
 * The step after a person resolved it, state by state. Each is one legal change, and the last is where it ends. `retry`
 * starts an idempotent call again. One that is not idempotent needs a person's statement, with its own note, that it
 * did not happen (invariant 6).
 */
export function resolved(step: RunStep, resolution: Resolution): Result<readonly [RunStep, ...RunStep[]]> {
  if (resolution === 'retry') return retriedByPerson(step);
  if (step.state === 'unknown') return ok([resolvedAs(step, resolution)]);
  return err({
    kind: 'conflict',
    code: 'run_step.not_unknown',
    message: `The step is ${stateInWords(step.state)}: there is nothing unknown about it.`,
    action: 'Get the run; only steps that are unknown are resolved.',
    details: { state: step.state },
  });
}

function resolvedAs(step: UnknownStep, finding: 'happened' | 'did_not'): SucceededStep | FailedStep | CompensatedStep {
  const known = { ...step, unknownOf: null, resolvedAs: finding };
  if (step.unknownOf === 'call') return { ...known, state: finding === 'happened' ? 'succeeded' : 'failed' };
  return { ...known, failures: 0, state: finding === 'happened' ? 'compensated' : 'succeeded' };
}

function retriedByPerson(step: RunStep): Result<readonly [RunStep, ...RunStep[]]> {
  const harmless = step.idempotent || step.resolvedAs === 'did_not' || isUntaken(step.error);
  if (step.state === 'failed' && harmless) return ok([putBack(step)]);
  if (
    step.state === 'unknown' &&
    (step.unknownOf === 'call' ? step.idempotent : step.compensationIdempotent === true)
  ) {
    const known = resolvedAs(step, 'did_not');
    // A compensation that did not happen is taken up again by the rollback itself.
    return ok(known.state === 'failed' ? [known, putBack(known)] : [known]);
  }
  return err({
    kind: 'conflict',
    code: 'run_step.retry_needs_did_not',
    message: 'The call is not idempotent: it is sent again only after somebody has stated that it did not happen.',
    action: 'Find out; if it did not happen, resolve the step as "did_not", then as "retry".',
    details: { state: step.state },
  });
}

const lost = (
  step: Omit<UnknownStep, 'state' | 'unknownOf'>,
  unknownOf: UnknownStep['unknownOf'],
): StepIn<ToState<'lose'>> => ({ ...step, state: 'unknown', unknownOf });
