import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PersonPrincipal } from '#lib/kernel';
import { principalOf } from './access.js';

/** The calling person; for routes with @RequirePerson() or @RequireRole(...). */
export const CurrentPerson = createParamDecorator((_data: unknown, context: ExecutionContext): PersonPrincipal => {
  const principal = principalOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (principal?.kind !== 'person') throw new Error('CurrentPerson stands on a route that others than people may call');
  return principal;
});
