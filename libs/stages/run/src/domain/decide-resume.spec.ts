import { RUN_STATES } from '#lib/formats';
import { decideResume } from './decide-resume.js';
import type { BatchView, RunView, StepView } from './run-view.js';

const step = (id: string, state: StepView['state'], more: Partial<StepView> = {}): StepView => ({
  id,
  kind: 'call',
  state,
  idempotent: false,
  changes: true,
  onFailure: 'pause',
  compensation: null,
  dispatches: 1,
  failures: 0,
  untaken: false,
  leaseUntil: null,
  retryAt: null,
  finishedAt: null,
  ...more,
});
const check = (id: string, state: StepView['state']): StepView => step(id, state, { kind: 'health_check' });
const batch = (batchIndex: number, calls: readonly StepView[], more: Partial<BatchView> = {}): BatchView => ({
  phaseIndex: 3,
  batchIndex,
  waitMs: 0,
  rollbackIf: null,
  calls,
  healthRound: 1,
  healthChecks: [],
  healthy: false,
  ...more,
});
const paused = (batches: readonly BatchView[], more: Partial<RunView> = {}): RunView => ({
  state: 'paused',
  requested: null,
  rollingBack: false,
  startAt: null,
  frozenUntil: null,
  pauseBy: null,
  batches,
  ...more,
});
const forward = { event: 'resume', retry: [], recheck: null };

it.each(RUN_STATES.filter((state) => state !== 'paused'))('a run that is %s is not resumed', (state) => {
  expect(decideResume(paused([], { state }))).toMatchObject({
    error: { code: 'run.wrong_state', details: { state } },
  });
});

describe('a paused run', () => {
  it('is not resumed while the effect of a step is unknown, of a health check either', () => {
    for (const lost of [step('a', 'unknown'), check('b', 'unknown')]) {
      const view = paused([batch(0, [step('first', 'succeeded')], { healthChecks: [lost] })], { rollingBack: true });
      expect(decideResume(view)).toMatchObject({
        error: { code: 'run.effect_unknown', details: { run_step_id: lost.id } },
      });
    }
  });

  it.each(['roll_back', 'cancel'] as const)('is not resumed if somebody asked for it: %s', (requested) => {
    expect(decideResume(paused([], { requested }))).toMatchObject({
      error: { code: 'run.already_requested', details: { requested } },
    });
  });

  it('is resumed although somebody asked for a pause', () => {
    expect(decideResume(paused([], { requested: 'pause' }))).toEqual({ ok: true, value: forward });
  });

  it('goes on with its rollback, and tries no failed call again', () => {
    const view = paused([batch(0, [step('a', 'failed', { idempotent: true })])], { rollingBack: true });
    expect(decideResume(view)).toEqual({ ok: true, value: { event: 'roll_back', retry: [], recheck: null } });
  });

  it('tries every failed call again, if all of them are idempotent', () => {
    const calls = [step('a', 'failed', { idempotent: true }), step('b', 'succeeded'), step('c', 'pending')];
    const view = paused([batch(0, calls), batch(1, [step('d', 'failed', { idempotent: true })])]);
    expect(decideResume(view)).toEqual({ ok: true, value: { ...forward, retry: ['a', 'd'] } });
    const stuck = paused([batch(0, [...calls, step('e', 'failed')])]);
    expect(decideResume(stuck)).toMatchObject({ error: { code: 'run.step_failed', details: { run_step_id: 'e' } } });
  });

  it('tries a call again that no executor took: it did not start', () => {
    const view = paused([batch(0, [step('a', 'failed', { untaken: true })])]);
    expect(decideResume(view)).toEqual({ ok: true, value: { ...forward, retry: ['a'] } });
  });

  it.each<[string, BatchView, rechecks: boolean]>([
    [
      'a check failed',
      batch(1, [step('a', 'succeeded')], { healthChecks: [check('h', 'failed'), check('i', 'pending')] }),
      true,
    ],
    ['its checks are done', batch(1, [step('a', 'succeeded')], { healthChecks: [check('h', 'succeeded')] }), true],
    ['it has no check', batch(1, [step('a', 'succeeded')]), true],
    ['its checks have not ended', batch(1, [step('a', 'succeeded')], { healthChecks: [check('h', 'pending')] }), false],
    [
      'a call is to come',
      batch(1, [step('a', 'succeeded'), step('b', 'pending')], { healthChecks: [check('h', 'failed')] }),
      false,
    ],
  ])(
    'checks the first batch that was not found healthy anew, if its calls are done: %s',
    (_what, candidate, rechecks) => {
      const view = paused([batch(0, [step('z', 'succeeded')], { healthy: true }), candidate]);
      const recheck = rechecks ? { phaseIndex: 3, batchIndex: 1 } : null;
      expect(decideResume(view)).toEqual({ ok: true, value: { ...forward, recheck } });
    },
  );

  it('checks nothing anew if every batch is healthy', () => {
    expect(decideResume(paused([batch(0, [step('z', 'succeeded')], { healthy: true })]))).toEqual({
      ok: true,
      value: forward,
    });
  });
});
