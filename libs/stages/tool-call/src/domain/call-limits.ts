import type { Failure } from '#lib/kernel';
import type { Session } from '#lib/session';

const AT_ONCE = 'which is the most at once.';
const WAIT = 'Wait for one of them.';
/** A call in flight may end any moment. */
const TURN_RETRY_SECONDS = 1;

/** How many calls a session has. */
export interface CountedCalls {
  /** All of them, denied ones included: a denied call was weighed, too. */
  readonly inSession: number;
  /** Those of the turn; 0 if the turn has no name. */
  readonly inTurn: number;
  /**
   * Those that wait for people, for their dispatch or for their outcome. No outcome follows the allow of a call without an
   * executor, so it is not counted.
   */
  readonly inFlight: number;
}

/** How many calls an agent or a person has. */
export interface UsedCalls {
  /** All within {@link BUDGET_WINDOW_MS}, in sessions and outside them. */
  readonly inHour: number;
  /** Those outside sessions of the turn, within {@link BUDGET_WINDOW_MS}; 0 if the turn has no name. */
  readonly inTurn: number;
  /** Those outside sessions in flight, as in {@link CountedCalls}. */
  readonly inFlight: number;
}

/**
 * The limit that leaves a session no room for one more call, or null. A turn has at most `callsPerTurn` calls, and so
 * many may be in flight in the session. An agent may give each call a turn of its own.
 *
 * @param most the calls that the tenant gives a session now. If they are less than its budget, they hold from the next
 * call on.
 */
export function sessionLimit(
  { callBudget, callsPerTurn }: Pick<Session, 'callBudget' | 'callsPerTurn'>,
  most: number,
  turnId: string | null,
  { inSession, inTurn, inFlight }: CountedCalls,
): Failure | null {
  if (inSession >= most && most < callBudget) return budgetSpent(most, LOWERED);
  if (inSession >= callBudget) return budgetSpent(callBudget, SPENT);
  const inWords = String(callsPerTurn);
  if (turnId !== null && inTurn >= callsPerTurn)
    return turnFull(callsPerTurn, `The turn ${turnId} has made its ${inWords} calls.`, 'Go on in another turn.');
  return inFlight >= callsPerTurn
    ? turnFull(callsPerTurn, `${inWords} calls of this session are in flight, ${AT_ONCE}`, WAIT)
    : null;
}

/**
 * The limit that leaves an agent or a person no room for one more call outside sessions, or null. A turn has at most `most` calls within an hour, and
 * so many may be in flight outside sessions.
 */
export function outsideLimit(most: number, turnId: string | null, { inTurn, inFlight }: UsedCalls): Failure | null {
  if (turnId !== null && inTurn >= most)
    return turnFull(
      most,
      `The turn ${turnId} has made its ${String(most)} calls of this hour.`,
      'Go on in another turn.',
    );
  return inFlight >= most
    ? turnFull(most, `${String(most)} of your calls outside sessions are in flight, ${AT_ONCE}`, WAIT)
    : null;
}

/** The hourly budget is of the calls in this time. */
export const BUDGET_WINDOW_MS = 3_600_000;

/** @param asked when the call was asked that makes room once it counts no more, epoch milliseconds. */
export function hourBudgetSpent(
  budget: number,
  { asked, now }: { readonly asked: number; readonly now: number },
): Failure {
  return {
    kind: 'rate_limited',
    code: 'tool_call.budget_spent',
    message: `You have asked for ${String(budget)} calls within an hour, which is your budget.`,
    action: 'Wait. A larger budget is calls_per_hour of the autonomy document.',
    details: { calls_per_hour: budget },
    retryAfterSeconds: Math.max(1, Math.ceil((asked + BUDGET_WINDOW_MS - now) / 1_000)),
  };
}

const SPENT = 'Have a person raise call_budget of the session, signed in to a browser, or end the session.';
const LOWERED = 'A larger budget is calls_per_session of the autonomy document.';

const budgetSpent = (budget: number, action: string): Failure => ({
  kind: 'conflict',
  code: 'session.budget_spent',
  message: `This session has made the ${String(budget)} calls of its budget.`,
  action,
  details: { call_budget: budget },
});

const turnFull = (most: number, message: string, action: string): Failure => ({
  kind: 'rate_limited',
  code: 'tool_call.turn_full',
  message,
  action,
  details: { calls_per_turn: most },
  retryAfterSeconds: TURN_RETRY_SECONDS,
});
