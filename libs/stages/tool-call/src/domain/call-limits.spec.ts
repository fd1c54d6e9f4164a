import { hourBudgetSpent, outsideLimit, sessionLimit } from './call-limits.js';

const LIMITS = { callBudget: 5, callsPerTurn: 2 };
const counted = (inSession: number, inTurn: number, inFlight: number) => ({ inSession, inTurn, inFlight });

describe('the limits of a session', () => {
  it.each([
    ['room everywhere', 'one', counted(4, 1, 1), null],
    ['the budget is spent', 'one', counted(5, 0, 0), 'session.budget_spent'],
    ['the budget is spent, and the turn is full', 'one', counted(5, 2, 2), 'session.budget_spent'],
    ['the turn is full, denied calls included', 'one', counted(2, 2, 0), 'tool_call.turn_full'],
    ['so many calls are in flight, in other turns', 'two', counted(2, 0, 2), 'tool_call.turn_full'],
    ['so many calls are in flight, without a turn', null, counted(2, 0, 2), 'tool_call.turn_full'],
  ])('%s', (_what, turnId, counts, code) => {
    expect(sessionLimit(LIMITS, 10, turnId, counts)?.code ?? null).toBe(code);
  });

  it.each([
    ['less than its budget', 4, 4, 'A larger budget is calls_per_session of the autonomy document.'],
    ['its budget', 5, 5, 'Have a person raise call_budget of the session, signed in to a browser, or end the session.'],
    [
      'more than its budget',
      6,
      5,
      'Have a person raise call_budget of the session, signed in to a browser, or end the session.',
    ],
  ])('are the stricter ones of session and tenant, which gives %s', (_what, most, bound, action) => {
    expect(sessionLimit(LIMITS, most, null, counted(bound - 1, 0, 0))).toBeNull();
    expect(sessionLimit(LIMITS, most, null, counted(bound, 0, 0))).toMatchObject({
      ...{ code: 'session.budget_spent', action },
      details: { call_budget: bound },
    });
  });

  it.each([
    ['room everywhere', 'one', 1, 1, null],
    ['the turn is full, denied calls included', 'one', 2, 0, 'tool_call.turn_full'],
    ['so many calls are in flight, in other turns', 'two', 0, 2, 'tool_call.turn_full'],
    ['so many calls are in flight, without a turn', null, 0, 2, 'tool_call.turn_full'],
  ])('outside sessions: %s', (_what, turnId, inTurn, inFlight, code) => {
    expect(outsideLimit(2, turnId, { inHour: 0, inTurn, inFlight })?.code ?? null).toBe(code);
  });

  it('of an hour say when the oldest call that counts is an hour old', () => {
    const spent = (asked: number) => hourBudgetSpent(10, { asked, now: 4_000_500 }).retryAfterSeconds;
    expect([spent(400_501), spent(401_500), spent(400_000)]).toEqual([1, 1, 1]);
    expect(spent(4_000_000)).toBe(3_600);
  });

  it('say how long to wait, but for a budget, which does not come back', () => {
    expect(sessionLimit(LIMITS, 10, null, counted(0, 0, 2))).toMatchObject({
      kind: 'rate_limited',
      retryAfterSeconds: 1,
    });
    expect(sessionLimit(LIMITS, 10, null, counted(5, 0, 0))).toMatchObject({
      kind: 'conflict',
      details: { call_budget: 5 },
    });
  });
});
