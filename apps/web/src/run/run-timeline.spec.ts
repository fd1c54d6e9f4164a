import { progressOf, stateOf, timelineOf, type Step } from './run-timeline.js';

it.each([
  [[], 'pending'],
  [['pending', 'pending'], 'pending'],
  [['succeeded', 'pending'], 'running'],
  [['succeeded', 'dispatched'], 'running'],
  [['succeeded', 'succeeded'], 'succeeded'],
  [['succeeded', 'failed', 'pending'], 'failed'],
  [['failed', 'unknown', 'succeeded'], 'unknown'],
  [['compensated', 'succeeded'], 'compensated'],
  [['compensated', 'compensating'], 'compensating'],
  [['compensation_failed', 'compensated'], 'compensation_failed'],
])('steps that are %j make a batch that is %s', (states, state) => {
  expect(stateOf(states)).toBe(state);
});

const step = (fields: Partial<Step>): Step =>
  ({ phase_index: 0, batch_index: 0, kind: 'call', health_round: 0, state: 'succeeded', ...fields }) as Step;

const phase = {
  index: 0,
  name: 'canary',
  canary: true,
  rollback_if: null,
  batches: [{ index: 0, targets: ['web-1'] }],
};

const batchOf = (state: string, steps: readonly Step[], wait_until: string | null = null) =>
  timelineOf({ state, steps, health: [], wait_until } as never, { phases: [phase] } as never)[0]?.batches[0];

it.each([
  ['executing', 'pending'],
  ['paused', 'pending'],
  ['rolling_back', 'not_started'],
  ['rolled_back', 'not_started'],
  ['cancelled', 'not_started'],
])('in a run that is %s, a batch of which nothing has begun is %s', (state, shown) => {
  expect(batchOf(state, [step({ state: 'pending' })])?.state).toBe(shown);
});

it('takes a health check as it came out the last time', () => {
  const check = (round: number, state: Step['state']) => step({ kind: 'health_check', health_round: round, state });
  expect(batchOf('paused', [step({}), check(1, 'failed')])?.state).toBe('failed');
  expect(batchOf('executing', [step({}), check(1, 'pending')])?.state).toBe('running');
  expect(batchOf('paused', [step({}), check(1, 'pending')])?.state).toBe('paused');
  expect(batchOf('executing', [step({}), check(1, 'failed'), check(2, 'succeeded')])?.state).toBe('succeeded');
  expect(batchOf('executing', [step({}), check(0, 'pending')])?.state).toBe('succeeded');
});

it('says that a batch waits if its calls are done and the run waits for its checks', () => {
  const soaking = [step({}), step({ kind: 'health_check', health_round: 1, state: 'pending' })];
  expect(batchOf('executing', soaking, '2026-11-22T10:00:00.000Z')?.state).toBe('waiting');
  expect(batchOf('executing', soaking)?.state).toBe('running');
  expect(batchOf('executing', [step({ state: 'dispatched' })], '2026-11-22T10:00:00.000Z')?.state).toBe('running');
});

it('counts the calls that are done, and no checks', () => {
  const steps = [step({}), step({ state: 'dispatched' }), step({ state: 'pending' }), step({ kind: 'health_check' })];
  expect(progressOf(steps)).toEqual({ done: 1, of: 3, percent: 33 });
  expect(progressOf([])).toEqual({ done: 0, of: 0, percent: 0 });
});
