import {
  newId,
  type DecisionId,
  type EnvironmentId,
  type PersonId,
  type PlanId,
  type RunId,
  type TaskId,
} from '#lib/kernel';
import { asked, ended, paused, resumed, rollingBack, started } from './run-changes.js';
import type {
  ExecutingRun,
  NoRequest,
  OpenRequest,
  PausedForward,
  PausedInRollback,
  QueuedRun,
  RollingBackRun,
  RunFacts,
  RunOutcome,
  RunReason,
} from './run.js';
import { RUN_TIME_LIMIT_MINUTES } from './run-time-limit.js';

const NOW = 1_000_000;
const LIMIT_MS = RUN_TIME_LIMIT_MINUTES * 60_000;
const FAILED: RunReason = { code: 'run.step_failed', message: 'A step failed.' };
const ASKED: RunReason = { code: 'run.rollback_requested', message: 'Somebody asked for it.' };
const NO_REQUEST: NoRequest = { requested: null, requestedBy: null };
const by: OpenRequest['requestedBy']['actor'] = {
  kind: 'person',
  id: newId<PersonId>(),
  display_name: 'Ada',
  credential_id: null,
  on_behalf_of: null,
};
const request = (requested: OpenRequest['requested']): OpenRequest => ({
  requested,
  requestedBy: { actor: by, reason: ASKED },
});

const facts: RunFacts = {
  id: newId<RunId>(),
  taskId: newId<TaskId>(),
  planId: newId<PlanId>(),
  planDigest: 'sha256:0',
  headline: { headline: 'deploy on web-1, revision 1', risk: 'high' },
  environmentId: newId<EnvironmentId>(),
  authority: { kind: 'policy' },
  simulationId: null,
  decisionId: newId<DecisionId>(),
  approvedTerms: {} as RunFacts['approvedTerms'],
  phases: 'all',
  healthRound: 0,
  eventCount: 0,
  startedBy: by,
  startAt: null,
  createdAt: NOW - 9_000,
  updatedAt: NOW - 9_000,
};
const live = { ...NO_REQUEST, outcome: null, finishedAt: null, waitingOn: null, waitUntil: null } as const;

const queued: QueuedRun = {
  ...facts,
  ...live,
  state: 'queued',
  reason: null,
  rollbackReason: null,
  waitingOn: { target: 'web-01', runId: newId<RunId>() },
  nextAt: NOW + 5_000,
  pauseBy: null,
  startedAt: null,
};
const executing: ExecutingRun = {
  ...facts,
  ...live,
  state: 'executing',
  reason: null,
  rollbackReason: null,
  nextAt: NOW,
  pauseBy: NOW + 1,
  startedAt: NOW - 8_000,
};
const pausedRun: PausedForward = { ...executing, state: 'paused', reason: FAILED, nextAt: null, pauseBy: null };
const rolling: RollingBackRun = {
  ...executing,
  state: 'rolling_back',
  reason: FAILED,
  rollbackReason: FAILED,
  pauseBy: null,
};
const pausedBack: PausedInRollback = { ...rolling, state: 'paused', reason: ASKED, nextAt: null };
const outcome: RunOutcome = {
  duration_minutes: 1,
  affected_assets: 1,
  calls: { succeeded: 1, failed: 0, compensated: 0, not_started: 0 },
  not_undone: [],
};

it('a run that starts waits for nothing, and has its whole time', () => {
  expect(started({ ...queued, ...request('pause') }, NOW)).toEqual({
    ...queued,
    ...NO_REQUEST,
    state: 'executing',
    waitingOn: null,
    nextAt: NOW,
    pauseBy: NOW + LIMIT_MS,
    startedAt: NOW,
    updatedAt: NOW,
  });
});

describe('a pause', () => {
  it('meets a request to pause, and no stronger one', () => {
    expect(paused({ ...executing, ...request('pause') }, FAILED, NOW)).toEqual({
      ...executing,
      state: 'paused',
      reason: FAILED,
      nextAt: null,
      pauseBy: null,
      updatedAt: NOW,
    });
    expect(paused({ ...executing, ...request('cancel') }, FAILED, NOW)).toMatchObject(request('cancel'));
    expect(paused(executing, FAILED, NOW)).toMatchObject(NO_REQUEST);
  });

  it('for a freeze ends by itself with the freeze', () => {
    const until = '2026-01-05T09:00:00.000Z';
    const frozen: RunReason = { code: 'freeze.active', message: 'Frozen.', details: { until } };
    expect(paused(executing, frozen, NOW).nextAt).toBe(Date.parse(until));
  });

  it('keeps a rollback a rollback', () => {
    expect(paused(rolling, ASKED, NOW)).toMatchObject({ state: 'paused', reason: ASKED, rollbackReason: FAILED });
  });
});

it('a run that is resumed goes forward at once, and has its whole time again', () => {
  expect(resumed({ ...pausedRun, ...request('cancel') }, NOW)).toEqual({
    ...pausedRun,
    ...NO_REQUEST,
    state: 'executing',
    reason: null,
    nextAt: NOW,
    pauseBy: NOW + LIMIT_MS,
    updatedAt: NOW,
  });
});

it.each([
  ['of a run that goes forward has its reason', executing, ASKED],
  ['of a paused run has its reason', pausedRun, ASKED],
  ['that goes on after a pause keeps its first reason', pausedBack, FAILED],
])('a rollback %s', (_what, run, rollbackReason) => {
  expect(rollingBack({ ...run, ...request('roll_back') }, ASKED, NOW)).toEqual({
    ...run,
    ...NO_REQUEST,
    state: 'rolling_back',
    reason: ASKED,
    rollbackReason,
    nextAt: NOW,
    pauseBy: null,
    updatedAt: NOW,
  });
});

describe('an ended run', () => {
  const end = {
    ...NO_REQUEST,
    waitingOn: null,
    waitUntil: null,
    nextAt: null,
    pauseBy: null,
    outcome,
    finishedAt: NOW,
    updatedAt: NOW,
  };
  const open = { ...executing, ...request('cancel'), waitUntil: NOW + 1 };

  it.each([
    [{ event: 'complete', run: open } as const, { ...open, ...end, state: 'completed', reason: null }],
    [
      { event: 'fail', run: pausedRun, reason: ASKED } as const,
      { ...pausedRun, ...end, state: 'failed', reason: ASKED },
    ],
    [
      { event: 'cancel', run: queued, reason: ASKED } as const,
      { ...queued, ...end, state: 'cancelled', reason: ASKED },
    ],
    [
      { event: 'finish_rollback', run: { ...rolling, reason: ASKED } } as const,
      { ...rolling, ...end, state: 'rolled_back', reason: FAILED },
    ],
    [
      { event: 'fail_rollback', run: { ...rolling, reason: ASKED } } as const,
      { ...rolling, ...end, state: 'rollback_failed', reason: FAILED },
    ],
  ])('has its outcome, and nothing left to do: $event', (ending, after) => {
    expect(ended(ending, outcome, NOW)).toEqual(after);
  });
});

describe('a request to a run', () => {
  it.each([
    ['is taken now if the run would wait longer', { ...executing, nextAt: NOW + 5_000 }, NOW],
    ['is taken when the run is due if that is earlier', { ...executing, nextAt: NOW - 5_000 }, NOW - 5_000],
    ['is taken now if the run waits for nothing', pausedRun, NOW],
  ])('%s', (_what, run, nextAt) => {
    expect(asked(run, request('cancel'), NOW)).toEqual({ ...run, ...request('cancel'), nextAt, updatedAt: NOW });
  });
});
