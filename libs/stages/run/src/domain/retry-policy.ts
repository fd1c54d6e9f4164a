import { NOT_TAKEN } from '#lib/dispatch';
import type { StepError } from './run-step.js';
import type { StepView } from './run-view.js';

/** How often a call with `on_failure: retry` is tried in all, the first time included. */
const MAX_TRIES = 3;

/** The most dispatches of a call after lost workers; then a person is asked. */
export const MAX_DISPATCHES = 20;

/** How often a call is offered to an executor that does not take it, before its run pauses. */
export const OFFER_TRIES = 6;

const FIRST_BACKOFF_MS = 1_000;

/** The pause before the next try after `failures` failures in a row: 1 s, 2 s, 4 s … */
export const backoffMs = (failures: number): number => FIRST_BACKOFF_MS * 2 ** Math.max(0, failures - 1);

/** The pause before the next offer: each is twice the one before, and all of them take `pausesMs` together. */
export const offerPauseMs = (failures: number, pausesMs: number): number =>
  (pausesMs * 2 ** Math.max(0, failures - 1)) / (2 ** (OFFER_TRIES - 1) - 1);

/** Whether the last try ended because no executor took the call: it did not start, idempotent or not. */
export const isUntaken = (error: StepError | null): boolean => error?.code === NOT_TAKEN;

/** Whether an untaken call or health check is offered again by itself, whatever its plan says about failures. */
export const mayOfferAgain = (step: Pick<StepView, 'untaken' | 'failures'>): boolean =>
  step.untaken && step.failures < OFFER_TRIES;

/** Whether a failed call may be tried again by itself. Its plan says so, the tool is idempotent, and tries are left. */
export const mayRetry = (step: Pick<StepView, 'idempotent' | 'onFailure' | 'failures'>): boolean =>
  step.idempotent && step.onFailure === 'retry' && step.failures < MAX_TRIES;

/** The same of the call that undoes a step. Idempotent ones are always retried, since there is no other way back. */
export const mayRetryCompensation = (step: Pick<StepView, 'compensation' | 'failures'>): boolean =>
  step.compensation?.idempotent === true && step.failures < MAX_TRIES;
