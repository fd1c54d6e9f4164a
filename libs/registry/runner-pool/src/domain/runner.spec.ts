import { dispatchTimes } from './dispatch-times.js';
import { stateAfter, type DispatchState } from './dispatch-transitions.js';
import { runnerState } from './runner.js';

const NOW = 1_800_000_000_000;

it.each([
  ['invited', { enrolledAt: null, lastSeenAt: null, leftAt: null, revokedAt: null }],
  ['online', { enrolledAt: 1, lastSeenAt: NOW - 59_999, leftAt: null, revokedAt: null }],
  ['offline', { enrolledAt: 1, lastSeenAt: NOW - 60_000, leftAt: null, revokedAt: null }],
  ['offline', { enrolledAt: 1, lastSeenAt: NOW, leftAt: NOW, revokedAt: null }],
  ['revoked', { enrolledAt: 1, lastSeenAt: NOW, leftAt: null, revokedAt: NOW }],
  ['revoked', { enrolledAt: null, lastSeenAt: null, leftAt: null, revokedAt: NOW }],
])('is %s', (state, runner) => {
  expect(runnerState(runner, NOW)).toBe(state);
});

it.each([
  [60, 15_000, 60_000],
  [10, 5_000, 10_000],
  [1, 500, 1_000],
])('offers a call of %i seconds for %i ms, and awaits its answer for %i', (seconds, offer, answer) => {
  expect(dispatchTimes(NOW, seconds, 15_000)).toEqual({ offeredUntil: NOW + offer, answerBy: NOW + answer });
});

describe('the state of a call', () => {
  const next: Record<
    DispatchState,
    Partial<Record<'offer' | 'take' | 'withdraw' | 'answer' | 'lose', DispatchState>>
  > = {
    waiting: { take: 'taken', withdraw: 'withdrawn' },
    taken: { answer: 'answered', lose: 'lost' },
    lost: { answer: 'answered_late' },
    answered: {},
    answered_late: {},
    withdrawn: {},
  };
  const events = ['offer', 'take', 'withdraw', 'answer', 'lose'] as const;

  it.each(
    Object.entries(next).flatMap(([from, to]) => events.map((event) => [from, event, to[event] ?? null] as const)),
  )('%s, %s: %s', (from, event, to) => {
    expect(stateAfter(from as DispatchState, event)).toBe(to);
  });
});
