import Fastify from 'fastify';
import type { PinoLogger } from 'nestjs-pino';
import { logRequests } from './request-log.js';

describe('the line of a request', () => {
  it('has the address of a caller who is not known, and the route in the place of the path', async () => {
    const lines: unknown[] = [];
    // A request is logged by these two methods of the logger.
    const logger = {
      runInContext: (next: () => void) => {
        next();
      },
      info: (line: unknown) => lines.push(line),
    };
    const fastify = Fastify({ trustProxy: ['127.0.0.1'] });
    logRequests(fastify, logger as unknown as PinoLogger);
    fastify.get('/v1/plans/:id', (_request, reply) => reply.status(401).send());
    await fastify.inject({ url: '/v1/plans/7', headers: { 'x-forwarded-for': '203.0.113.5, 198.51.100.7' } });
    expect(lines).toMatchObject([{ route: '/v1/plans/:id', status: 401, address: '198.51.100.7' }]);
  });
});
