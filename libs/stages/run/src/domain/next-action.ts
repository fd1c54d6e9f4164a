import { MAX_DISPATCHES, mayOfferAgain, mayRetry } from './retry-policy.js';
import { isFinished } from './run-transitions.js';
import {
  type BatchView,
  callsOf,
  type InFlightStepView,
  type RunRequest,
  type RunView,
  type StepView,
  stepsOf,
} from './run-view.js';

/** The reason why a run cannot go on by itself. */
export type PauseCode = 'run.effect_unknown' | 'run.step_not_taken' | 'run.step_failed' | 'run.health_check_failed';

/** The one thing to do next for a run. */
export type NextAction =
  | { readonly do: 'nothing' }
  | {
      readonly do: 'wait';
      readonly until: number;
      readonly for: 'start' | 'answer' | 'retry' | 'freeze';
    }
  | { readonly do: 'wait'; readonly until: number; readonly for: 'batch'; readonly batch: BatchView }
  /** Take the target locks and begin. */
  | { readonly do: 'start' }
  /** Carry out a request. */
  | { readonly do: 'take_request'; readonly request: RunRequest }
  | { readonly do: 'dispatch'; readonly stepId: string }
  /** Its worker was lost: dispatch it again, which only an idempotent call allows. */
  | { readonly do: 'redispatch'; readonly stepId: string }
  /** Its worker was lost, and its effect cannot be known. */
  | { readonly do: 'give_up'; readonly stepId: string }
  /** Put a failed call back, to be dispatched again. */
  | { readonly do: 'retry'; readonly stepId: string }
  | { readonly do: 'evaluate_health'; readonly batch: BatchView }
  | { readonly do: 'pause'; readonly code: PauseCode; readonly stepId: string }
  /** The freeze is over that it was paused for. */
  | { readonly do: 'resume_after_freeze' }
  /** It has gone on for as long as a run may. */
  | { readonly do: 'time_limit' }
  | { readonly do: 'begin_rollback'; readonly stepId: string }
  | { readonly do: 'compensate'; readonly stepId: string }
  | { readonly do: 'finish_rollback'; readonly failed: boolean }
  | { readonly do: 'complete' };

/** Whether the action starts or ends the run or sends a call. It is decided with all records locked that stand before the run. */
export function needsContext(action: NextAction): boolean {
  switch (action.do) {
    case 'start':
    case 'dispatch':
    case 'redispatch':
    case 'compensate':
    case 'complete':
    case 'finish_rollback':
      return true;
    case 'take_request':
      return action.request === 'cancel';
    default:
      return false;
  }
}

/**
 * Decides the next action of a run from its rows alone. A dispatched call is always awaited first, even if a pause was requested.
 * So a request is taken between steps, and at most one call is ever in flight.
 */
export function nextAction(view: RunView, now: number): NextAction {
  if (isFinished(view.state)) return { do: 'nothing' };
  const inFlight = stepsOf(view).find(isInFlight);
  if (inFlight !== undefined) return lookAfter(inFlight, view.state === 'paused', now);
  switch (view.state) {
    case 'queued':
      return nextOfQueued(view, now);
    case 'executing':
      return nextOfExecuting(view, now);
    case 'rolling_back':
      return nextOfRollingBack(view, now);
    default:
      return nextOfPaused(view, now);
  }
}

const isInFlight = (step: StepView): step is InFlightStepView => step.leaseUntil !== null;

function lookAfter(step: InFlightStepView, paused: boolean, now: number): NextAction {
  if (now < step.leaseUntil) return { do: 'wait', until: step.leaseUntil, for: 'answer' };
  if (paused) return { do: 'give_up', stepId: step.id };
  const idempotent = step.state === 'compensating' ? step.compensation?.idempotent === true : step.idempotent;
  if (idempotent && step.dispatches < MAX_DISPATCHES) return { do: 'redispatch', stepId: step.id };
  return { do: 'give_up', stepId: step.id };
}

function nextOfQueued(view: RunView, now: number): NextAction {
  if (view.requested !== null) return { do: 'take_request', request: view.requested };
  if (view.startAt !== null && now < view.startAt) return { do: 'wait', until: view.startAt, for: 'start' };
  return { do: 'start' };
}

/**
 * A paused run does nothing by itself. One that a freeze has stopped goes on when the freeze ends. Only cancel and roll
 * back reach it, and only once nothing is unknown.
 */
function nextOfPaused(view: RunView, now: number): NextAction {
  if (stepsOf(view).some((step) => step.state === 'unknown')) return { do: 'nothing' };
  if (view.requested === 'cancel' || view.requested === 'roll_back')
    return { do: 'take_request', request: view.requested };
  if (view.frozenUntil === null || view.requested !== null) return { do: 'nothing' };
  return now < view.frozenUntil
    ? { do: 'wait', until: view.frozenUntil, for: 'freeze' }
    : { do: 'resume_after_freeze' };
}

function nextOfExecuting(view: RunView, now: number): NextAction {
  const unknown = stepsOf(view).find((step) => step.state === 'unknown');
  if (unknown !== undefined) return { do: 'pause', code: 'run.effect_unknown', stepId: unknown.id };
  if (view.requested !== null) return { do: 'take_request', request: view.requested };
  for (const batch of view.batches) {
    const action = nextOfBatch(batch, now);
    if (action !== null) return view.pauseBy !== null && now >= view.pauseBy ? { do: 'time_limit' } : action;
  }
  return { do: 'complete' };
}

/** Null once the batch is done: its calls succeeded, its wait is over and it was found healthy. */
function nextOfBatch(batch: BatchView, now: number): NextAction | null {
  if (batch.healthy) return null;
  for (const call of batch.calls) {
    if (call.state === 'succeeded') continue;
    if (call.state === 'failed') return afterFailure(call);
    if (call.state !== 'pending') return { do: 'pause', code: 'run.step_failed', stepId: call.id };
    return dispatchWhenDue(call, now);
  }
  const finishedAt = batch.calls.reduce((latest, call) => Math.max(latest, call.finishedAt ?? 0), 0);
  if (now < finishedAt + batch.waitMs) return { do: 'wait', until: finishedAt + batch.waitMs, for: 'batch', batch };
  for (const check of batch.healthChecks) {
    if (check.state === 'succeeded') continue;
    if (check.state === 'pending') return dispatchWhenDue(check, now);
    if (mayOfferAgain(check)) return { do: 'retry', stepId: check.id };
    return { do: 'pause', code: check.untaken ? 'run.step_not_taken' : 'run.health_check_failed', stepId: check.id };
  }
  return { do: 'evaluate_health', batch };
}

function afterFailure(call: StepView): NextAction {
  if (mayOfferAgain(call) || mayRetry(call)) return { do: 'retry', stepId: call.id };
  // An executor that takes no call may take none that undoes a step either: a person looks.
  if (call.untaken) return { do: 'pause', code: 'run.step_not_taken', stepId: call.id };
  if (call.onFailure === 'rollback') return { do: 'begin_rollback', stepId: call.id };
  return { do: 'pause', code: 'run.step_failed', stepId: call.id };
}

function dispatchWhenDue(step: StepView, now: number): NextAction {
  if (step.retryAt !== null && now < step.retryAt) return { do: 'wait', until: step.retryAt, for: 'retry' };
  return { do: 'dispatch', stepId: step.id };
}

function nextOfRollingBack(view: RunView, now: number): NextAction {
  const calls = callsOf(view);
  const unknown = calls.find((call) => call.state === 'unknown');
  if (unknown !== undefined) return { do: 'pause', code: 'run.effect_unknown', stepId: unknown.id };
  if (view.requested === 'pause') return { do: 'take_request', request: 'pause' };
  for (const call of [...calls].reverse()) {
    if (call.compensation === null) continue;
    if (call.state === 'succeeded') return { do: 'compensate', stepId: call.id };
    if (call.state === 'compensating') {
      if (call.retryAt !== null && now < call.retryAt) return { do: 'wait', until: call.retryAt, for: 'retry' };
      return { do: 'redispatch', stepId: call.id };
    }
  }
  return { do: 'finish_rollback', failed: calls.some((call) => call.state === 'compensation_failed') };
}
