import { CALLS_PER_SESSION, MAX_CALLS_PER_SESSION, type AutonomyDocument } from '#lib/formats';
import type { Failure } from '#lib/kernel';

/** The budgets of calls that sessions of a tenant may have. */
export interface CallBudgets {
  /** Of a session that names none, and the most that a token may ask for. */
  readonly byDefault: number;
  /** The most that a person gives one. */
  readonly most: number;
}

/** By the tenant's `calls_per_session`; without it a person may give more than the default. */
export function callBudgets(document: AutonomyDocument | null): CallBudgets {
  const named = document?.autonomy.calls_per_session;
  return { byDefault: named ?? CALLS_PER_SESSION, most: named ?? MAX_CALLS_PER_SESSION };
}

export const budgetTooLarge = ({ most }: CallBudgets): Failure => {
  const [code, message] = [
    'session.budget_too_large',
    `A session of this organisation has at most ${String(most)} calls.`,
  ];
  return {
    kind: 'unprocessable',
    code,
    message,
    action: 'Name a smaller call_budget. The bound is calls_per_session of the autonomy document.',
    errors: [{ pointer: '/call_budget', code, message }],
  };
};
