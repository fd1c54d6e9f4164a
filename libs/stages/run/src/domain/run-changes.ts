import { frozenUntilOf } from './build-run-view.js';
import type {
  ActiveRun,
  EndedRun,
  ExecutingRun,
  LiveRun,
  NoRequest,
  OpenRequest,
  PausedForward,
  PausedRun,
  QueuedRun,
  RollingBackRun,
  RunIn,
  RunOutcome,
  RunReason,
} from './run.js';
import { pauseByOf } from './run-time-limit.js';
import type { EndingEvent, FromState } from './run-transitions.js';

const NO_REQUEST: NoRequest = { requested: null, requestedBy: null };

export const started = (run: QueuedRun, now: number): ExecutingRun => ({
  ...run,
  ...NO_REQUEST,
  state: 'executing',
  waitingOn: null,
  nextAt: now,
  pauseBy: pauseByOf(now),
  startedAt: now,
  updatedAt: now,
});

/** A pause meets a request to pause. A stronger request stays open. */
export function paused(run: ActiveRun, reason: RunReason, now: number): PausedRun {
  const left = run.requested === 'pause' ? { ...run, ...NO_REQUEST } : run;
  const nextAt = frozenUntilOf({ state: 'paused', reason });
  return { ...left, state: 'paused', reason, nextAt, pauseBy: null, updatedAt: now };
}

export const resumed = (run: PausedForward, now: number): ExecutingRun => ({
  ...run,
  ...NO_REQUEST,
  state: 'executing',
  reason: null,
  nextAt: now,
  pauseBy: pauseByOf(now),
  updatedAt: now,
});

/** A rollback that goes on after a pause keeps its first reason. */
export const rollingBack = (run: ExecutingRun | PausedRun, reason: RunReason, now: number): RollingBackRun => ({
  ...run,
  ...NO_REQUEST,
  state: 'rolling_back',
  reason,
  rollbackReason: run.rollbackReason ?? reason,
  nextAt: now,
  pauseBy: null,
  updatedAt: now,
});

/** The end of a run, and its reason if the event needs one. */
export type Ending =
  | { readonly event: 'complete'; readonly run: RunIn<FromState<'complete'>> }
  | { readonly event: 'fail'; readonly run: RunIn<FromState<'fail'>>; readonly reason: RunReason }
  | { readonly event: 'cancel'; readonly run: RunIn<FromState<'cancel'>>; readonly reason: RunReason }
  | { readonly event: 'finish_rollback' | 'fail_rollback'; readonly run: RunIn<FromState<'finish_rollback'>> };

/** The state that each event ends a run in. */
export const END_STATES = {
  complete: 'completed',
  fail: 'failed',
  cancel: 'cancelled',
  finish_rollback: 'rolled_back',
  fail_rollback: 'rollback_failed',
} as const satisfies Record<EndingEvent, EndedRun['state']>;

export function ended(ending: Ending, outcome: RunOutcome, now: number): EndedRun {
  const end = {
    ...NO_REQUEST,
    waitingOn: null,
    waitUntil: null,
    nextAt: null,
    pauseBy: null,
    outcome,
    finishedAt: now,
    updatedAt: now,
  };
  switch (ending.event) {
    case 'complete':
      return { ...ending.run, ...end, state: END_STATES.complete };
    case 'fail':
    case 'cancel':
      return { ...ending.run, ...end, state: END_STATES[ending.event], reason: ending.reason };
    default:
      return { ...ending.run, ...end, state: END_STATES[ending.event], reason: ending.run.rollbackReason };
  }
}

/** The run with this request open. It takes the request as soon as no call is in flight. */
export const asked = (run: LiveRun, request: OpenRequest, now: number): LiveRun => ({
  ...run,
  ...request,
  nextAt: run.nextAt === null ? now : Math.min(run.nextAt, now),
  updatedAt: now,
});
