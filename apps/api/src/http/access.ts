import { createParamDecorator, SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Principal, Scope } from '#lib/kernel';

/** The requirements of a route for its caller, as the decorators below declare them. */
export type Access =
  | { readonly kind: 'public'; readonly way: 'open' | 'look' | 'exchange' }
  | { readonly kind: 'scope'; readonly scope: Scope };

export const ACCESS = 'countersign:access';
export const EMERGENCY = 'countersign:emergency';
export const PERSON_ONLY = 'countersign:person-only';
export const ROLES = 'countersign:roles';

/** The caller's credential must hold this scope. Every route declares one, or that it is public, or the app does not start. */
export const RequireScope = (scope: Scope): CustomDecorator =>
  SetMetadata(ACCESS, { kind: 'scope', scope } satisfies Access);

/** Anybody may call: health, keys, documents, pages. */
export const Public = (): CustomDecorator => SetMetadata(ACCESS, { kind: 'public', way: 'open' } satisfies Access);

/**
 * Public too. Such a route looks something up in the database for a stranger. So it has its turn among those of their network
 * (T22).
 */
export const PublicLook = (): CustomDecorator => SetMetadata(ACCESS, { kind: 'public', way: 'look' } satisfies Access);

/** Public too: the request carries a one-time token or a signature. If it is bad, the refusal is slowed down (T40). */
export const PublicExchange = (): CustomDecorator =>
  SetMetadata(ACCESS, { kind: 'public', way: 'exchange' } satisfies Access);

/** An emergency route, as a halt or a break-glass. It has an allowance of its own when the caller's budget is spent. */
export const Emergency = (): CustomDecorator => SetMetadata(EMERGENCY, true);

/** Besides the scope: the caller must be a person, never an agent. */
export const RequirePerson = (): CustomDecorator => SetMetadata(PERSON_ONLY, true);

/** Besides the scope: the caller must be a person who holds one of these roles now. */
export const RequireRole = (...roles: readonly [string, ...string[]]): CustomDecorator => SetMetadata(ROLES, roles);

const principals = new WeakMap<object, Principal>();

/** Called by the access guard, once a request. */
export const bindPrincipal = (request: FastifyRequest, principal: Principal): void => {
  principals.set(request, principal);
};

/** The caller; undefined on public routes, and before the guard has run. */
export const principalOf = (request: FastifyRequest): Principal | undefined => principals.get(request);

/** The caller, as the access guard resolved it from the credential. Not for public routes. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal => {
  const principal = principalOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (principal === undefined) throw new Error('CurrentPrincipal stands on a route without a scope');
  return principal;
});
