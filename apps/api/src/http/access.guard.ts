import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type CredentialBudget, CREDENTIAL_BUDGET } from '#lib/identity';
import { FailureError, type Failure, type Principal, type Scope } from '#lib/kernel';
import { RequireFreshSignIn } from '#lib/sign-in';
import { ACCESS, bindPrincipal, PERSON_ONLY, ROLES, type Access } from './access.js';
import { Callers } from './callers.js';
import { FailedSignIns } from './failed-sign-ins.js';
import { SpentCredentials } from './spent-credentials.js';
import { unwrap } from './unwrap.js';

/** What decides or administers, rather than reads. */
const DECIDING: readonly Scope[] = ['review', 'admin'];
const READING = ['GET', 'HEAD'];

/**
 * Every request passes here: who calls (by the Authorization header, or without one by a browser's cookie), how often they may,
 * whether their credential's scope, their being a person and their roles suffice for the route, and, for a review or an
 * administrative action, whether they signed in recently enough. Default deny.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  readonly #reflector: Reflector;
  readonly #callers: Callers;
  readonly #budget: CredentialBudget;
  readonly #failedSignIns: FailedSignIns;
  readonly #spent: SpentCredentials;
  readonly #fresh: RequireFreshSignIn;

  constructor(
    reflector: Reflector,
    callers: Callers,
    @Inject(CREDENTIAL_BUDGET) budget: CredentialBudget,
    failedSignIns: FailedSignIns,
    spent: SpentCredentials,
    fresh: RequireFreshSignIn,
  ) {
    this.#reflector = reflector;
    this.#callers = callers;
    this.#budget = budget;
    this.#failedSignIns = failedSignIns;
    this.#spent = spent;
    this.#fresh = fresh;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    const access = this.#reflector.get<Access | undefined>(ACCESS, handler);
    if (access === undefined) throw new Error('a route without a declared scope was reached');
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (access.kind === 'public') {
      if (access.exchange) this.#refuseBlocked(request);
      return true;
    }
    const principal = await this.#authenticate(request);
    bindPrincipal(request, principal);
    requireScope(principal, access.scope);
    const roles = this.#reflector.get<readonly string[] | undefined>(ROLES, handler) ?? [];
    const personOnly = roles.length > 0 || this.#reflector.get<boolean | undefined>(PERSON_ONLY, handler) === true;
    if (personOnly) requirePerson(principal, roles);
    if (principal.kind === 'person' && DECIDING.includes(access.scope) && !READING.includes(request.method))
      unwrap(await this.#fresh.execute(principal));
    return true;
  }

  /** Who calls, once what they may spend has been taken. */
  async #authenticate(request: FastifyRequest): Promise<Principal> {
    this.#refuseBlocked(request);
    const token = this.#callers.tokenOf(request);
    const spent = token === null ? null : await this.#spent.refusal(token);
    if (spent !== null) throw new FailureError(tooMany(spent));
    const principal = await this.#callers.identify(request);
    const wait = await this.#budget.take(principal);
    if (wait === null) return principal;
    if (token !== null) this.#spent.remember(token, wait);
    throw new FailureError(tooMany(wait));
  }

  /** What failed is counted where refusals leave: in the problem filter. */
  #refuseBlocked(request: FastifyRequest): void {
    const blocked = this.#failedSignIns.blockedFor(request.ip);
    if (blocked !== null) throw new FailureError(tooMany(blocked));
  }
}

function requireScope(principal: Principal, scope: Scope): void {
  if (principal.kind !== 'system' && principal.scopes.includes(scope)) return;
  throw new FailureError({
    kind: 'forbidden',
    code: 'credential.scope_missing',
    message: `This credential does not hold the scope "${scope}".`,
    action: 'Use a credential that was issued with it.',
    details: { required_scope: scope },
  });
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

const tooMany = (seconds: number): Failure => ({
  kind: 'rate_limited',
  code: 'request.rate_limited',
  message: 'More requests than are allowed.',
  action: 'Wait as long as Retry-After says.',
  retryAfterSeconds: seconds,
});
