import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serveSpan, type ServedSpan } from '#lib/operation';

/** One span for each request; nothing if no tracing was started. */
export function traceRequests(fastify: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, ServedSpan>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const span = serveSpan(request.method, request.headers);
    spans.set(request, span);
    span.run(done);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.end(request.routeOptions.url ?? 'unknown', reply.statusCode);
    done();
  });
}
