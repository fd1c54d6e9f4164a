import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Logger, PinoLogger } from 'nestjs-pino';
import type { DestinationStream } from 'pino';
import type { Installation } from '#lib/installation';
import type { Database } from '#lib/database';
import { addressesAlone, Metrics } from '#lib/operation';
import { BROKEN_SEAL } from '#lib/tenancy';
import type { ApiConfig } from './api-config.js';
import { AppModule } from './app.module.js';
import { answerClientError } from './http/answer-client-error.js';
import { refuseContentEncoding, useBodyParsers } from './http/body-parsers.js';
import { failureOfStatus } from './http/failure-of-http-error.js';
import { MAX_PARAMETER } from './http/max-parameter.js';
import { problemOf, unexpectedFailure } from './http/problem.js';
import { refuseCredentialInUrl } from './http/credential-in-url.js';
import { logRequests } from './http/request-log.js';
import { timeLimitOf } from './http/may-hold.js';
import { refuseHeaderTwice } from './http/refuse-header-twice.js';
import { requestIdOf } from './http/request-id.js';
import { traceRequests } from './http/request-trace.js';
import { RouteDeclarations } from './http/route-declarations.js';
import { useSecurityHeaders } from './http/security-headers.js';
import { acceptUpgrades } from './http/upgrades.js';
import { startLog } from './http/start-log.js';
import { ApiDescription } from './operation/api-description.js';

/** The parts that a process gives to its API. */
export interface ApiParts {
  /** Composed by the process, once for all its parts. */
  readonly installation: Installation;
  /** Already open. The caller of `createApi` closes it after the application. */
  readonly database: Database;
  /** A registry of one's own without it. */
  readonly metrics?: Metrics;
  /** The output of log lines; standard output without it. */
  readonly logTo?: DestinationStream;
}

/**
 * The API, initialised and not yet listening: `main.ts` and `npm start` listen, tests inject. The caller closes it, since
 * the process handles signals.
 *
 * @throws {Error} if a route declares no scope, or a part is missing.
 */
export async function createApi(config: ApiConfig, parts: ApiParts): Promise<NestFastifyApplication> {
  const metrics = parts.metrics ?? new Metrics({ collectProcess: false });
  const adapter = new FastifyAdapter({
    logger: false,
    genReqId: requestIdOf,
    bodyLimit: config.bodyBytes,
    handlerTimeout: config.handlerTimeoutMs,
    requestTimeout: config.handlerTimeoutMs,
    connectionTimeout: config.silentConnectionMs,
    keepAliveTimeout: 72_000,
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies],
    // The router's own refusals come before any hook and any filter.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const failure = failureOfStatus(error.statusCode ?? 400) ?? unexpectedFailure;
      const problem = problemOf(failure, request.id);
      void reply
        .status(problem.status)
        .header('content-type', 'application/problem+json; charset=utf-8')
        .send(JSON.stringify(problem));
    },
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: MAX_PARAMETER, ignoreTrailingSlash: false },
  });
  const fastify = adapter.getInstance();
  traceRequests(fastify);
  acceptUpgrades(fastify);
  useBodyParsers(fastify, config.bodyBytes);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    const { headers } = request.raw;
    const forwardedFor = headers['x-forwarded-for'];
    if (typeof forwardedFor === 'string') headers['x-forwarded-for'] = addressesAlone(forwardedFor);
    refuseHeaderTwice(request.raw);
    refuseCredentialInUrl(request.raw.url ?? '');
    refuseContentEncoding(request);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.httpSeconds.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1_000,
    );
    done();
  });
  const served: { method: string; path: string }[] = [];
  fastify.addHook('onRoute', (route) => {
    const { method, url } = route;
    const limit = timeLimitOf(route, config.handlerTimeoutMs);
    if (limit !== undefined) route.handlerTimeout = limit;
    served.push(...[method].flat().map((verb) => ({ method: verb, path: url })));
  });
  // Nest logs no error of the start: the process that creates the API reports it, once.
  const options = {
    bodyParser: false,
    bufferLogs: true,
    autoFlushLogs: false,
    abortOnError: false,
    return503OnClosing: true,
  };
  const { installation } = parts;
  const root = AppModule.of(config, installation, { ...parts, metrics });
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, options);
  app.useLogger(startLog(app.get(Logger)));
  app.flushLogs();
  const log: PinoLogger = await app.resolve(PinoLogger);
  logRequests(fastify, log);
  await useSecurityHeaders(app, config.publicUrl);
  await app.init();
  app.useLogger(app.get(Logger));
  installation.policy.decisionPoint.onDecision(metrics.countDecision);
  installation.keys.sealAlarm.onBroken(({ table, tenantId, id }, repeated) => {
    metrics.countBrokenSeal(table);
    if (!repeated) log.error({ table, tenant_id: tenantId, id }, BROKEN_SEAL);
  });
  await fastify.ready();
  app.get(RouteDeclarations).requireControllers(served);
  app.get(ApiDescription).describe(app);
  return app;
}
