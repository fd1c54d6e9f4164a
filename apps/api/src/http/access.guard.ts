import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestBudget } from '#lib/identity';
import { FailureError, holderIdOf, type Principal, type Scope } from '#lib/kernel';
import { RequireFreshSignIn } from '#lib/sign-in';
import { REQUEST_BUDGET } from './http.tokens.js';
import { ACCESS, bindPrincipal, EMERGENCY, PERSON_ONLY, ROLES, type Access } from './access.js';
import { budgetSpent } from './budget-spent.js';
import { Callers } from './callers.js';
import { EmergencyAllowance } from './emergency-allowance.js';
import { FailedAttempts } from './failed-attempts.js';
import { readLongBody } from './incoming-body.js';
import { RequestTurns } from './request-turns.js';
import { browserSessionTokenOf } from './browser-session-cookie.js';
import { requireScope } from './require-scope.js';
import { withStatedReason } from './stated-reason.js';
import { SpentCredentials } from './spent-credentials.js';
import { unwrap } from './unwrap.js';

/** Scopes that decide or administer, rather than read. */
const DECIDING: readonly Scope[] = ['review', 'admin'];
const READING = ['GET', 'HEAD'];

/**
 * Every request passes here. The guard identifies the caller by the Authorization header, or without one by a browser's
 * cookie. It checks the caller's budget, and the scope, the kind and the roles of the caller against the route. For a review
 * or an administrative action it also checks that the sign-in is recent enough. Default deny.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  readonly #reflector: Reflector;
  readonly #callers: Callers;
  readonly #budget: RequestBudget;
  readonly #emergencies: EmergencyAllowance;
  readonly #attempts: FailedAttempts;
  readonly #spent: SpentCredentials;
  readonly #turns: RequestTurns;
  readonly #fresh: RequireFreshSignIn;

  constructor(
    reflector: Reflector,
    callers: Callers,
    @Inject(REQUEST_BUDGET) budget: RequestBudget,
    emergencies: EmergencyAllowance,
    attempts: FailedAttempts,
    spent: SpentCredentials,
    turns: RequestTurns,
    fresh: RequireFreshSignIn,
  ) {
    this.#reflector = reflector;
    this.#callers = callers;
    this.#budget = budget;
    this.#emergencies = emergencies;
    this.#attempts = attempts;
    this.#spent = spent;
    this.#turns = turns;
    this.#fresh = fresh;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    const access = this.#reflector.get<Access | undefined>(ACCESS, handler);
    if (access === undefined) throw new Error('a route without a declared scope was reached');
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (access.kind === 'public') {
      if (access.way === 'look') await this.#turns.enterPublic(request, http.getResponse<FastifyReply>());
      return true;
    }
    const emergency = this.#reflector.get<boolean | undefined>(EMERGENCY, handler) === true;
    const principal = await this.#authenticate(request, http.getResponse<FastifyReply>(), emergency);
    bindPrincipal(request, withStatedReason(principal, request));
    requireScope(principal, access.scope);
    const roles = this.#reflector.get<readonly string[] | undefined>(ROLES, handler) ?? [];
    const personOnly = roles.length > 0 || this.#reflector.get<boolean | undefined>(PERSON_ONLY, handler) === true;
    if (personOnly) requirePerson(principal, roles);
    if (principal.kind === 'person' && DECIDING.includes(access.scope) && !READING.includes(request.method))
      unwrap(await this.#fresh.execute(principal, access.scope));
    return true;
  }

  /**
   * The caller, after this request was taken from their budget. It has its turn first, but for an emergency, which waits for none.
   * A long body is read before the turn. So a caller who is out of budget has one read before this process remembers the refusal.
   */
  async #authenticate(request: FastifyRequest, reply: FastifyReply, emergency: boolean): Promise<Principal> {
    const token = this.#callers.bearerOf(request);
    const spent = token === null || emergency ? null : await this.#spent.refusal(token);
    if (spent !== null) throw new FailureError(budgetSpent(spent));
    const credential = token ?? browserSessionTokenOf(request) ?? null;
    const entered = emergency || (await this.#turns.enterKnown(request, reply, credential));
    const principal = await this.#attempts.watch(
      request.ip,
      emergency ? 'emergency' : 'credential',
      () => this.#callers.identify(request),
      credential,
    );
    if (emergency) await readLongBody(request);
    if (!entered) await this.#turns.enter(request, reply, credential, principal.tenantId);
    const refused = await this.#budget.take(principal);
    if (refused === null) return principal;
    if (emergency && principal.kind !== 'system' && this.#emergencies.take(holderIdOf(principal))) return principal;
    if (token !== null) this.#spent.remember(token, refused);
    throw new FailureError(budgetSpent(refused));
  }
}

function requirePerson(principal: Principal, roles: readonly string[]): void {
  if (principal.kind !== 'person') {
    throw new FailureError({
      kind: 'forbidden',
      code: 'credential.person_required',
      message: 'Only a person may do this.',
      action: 'Ask a person of the tenant to do it with a credential of their own.',
    });
  }
  if (roles.length === 0 || principal.roles.some((held) => roles.includes(held.role))) return;
  throw new FailureError({
    kind: 'forbidden',
    code: 'identity.role_required',
    message: `This takes the role ${roles.join(' or ')}.`,
    action: 'Ask somebody who holds it.',
    details: { required_roles: roles },
  });
}
