import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestBudget } from '#lib/identity';
import { actsInPerson, FailureError, type Failure, type Principal, type Scope } from '#lib/kernel';
import { RequireFreshSignIn } from '#lib/sign-in';
import { budgetSpent } from './budget-spent.js';
import { Callers } from './callers.js';
import { REQUEST_BUDGET } from './http.tokens.js';
import { requireScope } from './require-scope.js';
import { unwrap } from './unwrap.js';

/** Stands before each message over a socket, as the access guard stands before each request. */
@Injectable()
export class MessageAccess {
  constructor(
    private readonly callers: Callers,
    @Inject(REQUEST_BUDGET) private readonly budget: RequestBudget,
    private readonly fresh: RequireFreshSignIn,
  ) {}

  /**
   * The caller as of now, after this message was taken from their budget.
   *
   * @param request the one that opened the socket.
   * @throws {FailureError} as the guard does for a request of this scope; `review.browser_only` for an answer with a token (T55).
   */
  async callerFor(request: FastifyRequest, scope: Scope): Promise<Principal> {
    const principal = await this.callers.identify(request);
    const refused = await this.budget.take(principal);
    if (refused !== null) throw new FailureError(budgetSpent(refused));
    if (scope === 'review' && !actsInPerson(principal)) throw new FailureError(browserOnly);
    requireScope(principal, scope);
    if (principal.kind === 'person' && scope === 'review') unwrap(await this.fresh.execute(principal, scope));
    return principal;
  }
}

const browserOnly: Failure = {
  kind: 'forbidden',
  code: 'review.browser_only',
  message: 'A call is answered in a browser or in Slack, not with a token: an agent may have it.',
  action: 'Open the page of the session in a browser, and answer there.',
};
