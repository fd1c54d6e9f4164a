import type { BudgetRefusal } from '#lib/identity';
import type { Failure } from '#lib/kernel';

/** The refusal of a request once its caller, or the tenant, has no requests left. */
export const budgetSpent = ({ budget, waitSeconds }: BudgetRefusal): Failure => ({
  kind: 'rate_limited',
  ...SPENT[budget],
  retryAfterSeconds: waitSeconds,
});

const SPENT: Readonly<Record<BudgetRefusal['budget'], Pick<Failure, 'code' | 'message' | 'action'>>> = {
  holder: {
    code: 'request.rate_limited',
    message: 'You sent more requests than are allowed. All your credentials count together.',
    action: 'Wait as long as Retry-After says. Halts and break-glass still work.',
  },
  tenant: {
    code: 'request.tenant_rate_limited',
    message: 'Your organisation sent more requests than are allowed. All its people and agents count together.',
    action: 'Wait as long as Retry-After says, or stop the agent that calls most. Halts and break-glass still work.',
  },
};
