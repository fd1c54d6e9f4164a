import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PinoLogger } from 'nestjs-pino';
import { principalOf } from './access.js';

/**
 * One line for each request, and its id on every line that is written while it is served. Paths are logged as route templates. So
 * no id, name or credential comes into the log by way of a URL (T32).
 */
export function logRequests(fastify: FastifyInstance, logger: PinoLogger): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    logger.runInContext(done, { bindings: { request_id: request.id } });
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      ...callerOf(request),
    };
    logger[reply.statusCode >= 500 ? 'error' : 'info'](line, 'request completed');
    done();
  });
}

function callerOf(request: FastifyRequest): Record<string, string> {
  const principal = principalOf(request);
  // Refused credentials, and callers of public routes: the address alone says who they are.
  if (principal === undefined) return { address: request.ip };
  if (principal.kind === 'system') return {};
  const id = principal.kind === 'person' ? principal.personId : principal.agentId;
  return { tenant_id: principal.tenantId, [`${principal.kind}_id`]: id, credential_id: principal.credentialId };
}
