import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Agent } from 'undici';
import { v7 } from 'uuid';
import { clueInBody, clueOf, MAX_TARGET_CHARACTERS } from '#lib/cell-map';
import type { Failure } from '#lib/kernel';
import { boundUnreadBodies } from '#lib/operation';
import { ClientAddresses } from './client-address.js';
import type { CurrentCells } from './current-cells.js';
import { forward } from './forward.js';
import { sentTwice } from './forwarded-headers.js';
import { KeyUnion } from './key-union.js';
import { HeldBodies, type BodyBounds, type HeldBody } from './held-bodies.js';
import {
  answerOf,
  bodiesFull,
  bodyLate,
  bodyTooLarge,
  cellUnavailable,
  headerTwice,
  mapTooOld,
  noCell,
  wrongTarget,
} from './refusals.js';
import { OpenPassages } from './open-passages.js';
import type { RouterMetrics } from './router-metrics.js';
import type { RouterConfig } from './router-config.js';
import { forwardUpgrade } from './forward-upgrade.js';

/** How long requests under way may take once the router ends. */
const STOP_WITHIN_MS = 10_000;
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{8,64}$/;
/**
 * Bounds of bodies that the router reads for a tenant, before anybody knows the sender. One client leaves room for the others.
 */
const BODIES: BodyBounds = { bytes: 64 * 1_048_576, atOnce: 1_000, share: 1 / 8, withinMs: 10_000 };
const BODY_REFUSALS = { too_large: bodyTooLarge, full: bodiesFull, late: bodyLate };
/** As the cells say it: a new key is published twice as long before its use. */
const JWKS_MAX_AGE_SECONDS = 300;

export interface Router {
  readonly server: Server;
  /** Takes no further requests, lets those under way end, and closes streams. */
  close(): Promise<void>;
}

/** The router: sends each request to the cell of its tenant, and decides nothing else. The caller listens. */
export function createRouter(
  config: Pick<RouterConfig, 'trustedProxies' | 'bodyBytes' | 'answerTimeoutMs'> & { readonly bodies?: BodyBounds },
  parts: {
    readonly cells: CurrentCells;
    readonly metrics: RouterMetrics;
    readonly log: Logger;
    readonly now: () => number;
  },
): Router {
  const { cells, metrics, log, now } = parts;
  const addresses = new ClientAddresses(config.trustedProxies);
  // A stream is quiet as long as it likes; its own ends notice if it broke.
  const agent = new Agent({ headersTimeout: config.answerTimeoutMs, bodyTimeout: 0, connect: { timeout: 5_000 } });
  const keys = new KeyUnion(agent, now);
  const bodies = new HeldBodies(config.bodies ?? BODIES);
  const passages = new OpenPassages(cells, addresses);

  const answer = async (request: IncomingMessage, response: ServerResponse, requestId: string): Promise<string> => {
    const refuse = (failure: Failure): string => {
      const { status, headers, body } = answerOf(failure, requestId);
      // The rest of the body is not read.
      response.writeHead(status, { ...headers, connection: 'close' }).end(request.method === 'HEAD' ? undefined : body);
      return 'router';
    };
    const refused = refusalOf(request);
    if (refused !== null) return refuse(refused);
    const { method = '', url: target = '', headers } = request;
    const [path] = target.split('?');
    if (path === '/health/live' || (path === '/health/ready' && !cells.tooOld)) {
      response
        .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
        .end('{"status":"ok"}');
      return 'router';
    }
    if (cells.tooOld) return refuse(mapTooOld);
    if (path === '/.well-known/jwks.json' && (method === 'GET' || method === 'HEAD')) {
      const union = await keys.read(cells.all);
      if (union === null) return refuse(noCell);
      const cacheControl = `public, max-age=${String(JWKS_MAX_AGE_SECONDS)}`;
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheControl });
      response.end(method === 'HEAD' ? undefined : JSON.stringify(union));
      return 'router';
    }
    let clue = clueOf({ method, target, headers });
    let held: HeldBody | null = null;
    if (clue === 'body') {
      const said = String(headers['x-forwarded-for'] ?? '');
      const client = addresses.clientOf(request.socket.remoteAddress ?? '', said);
      const read = await bodies.read(request, client, config.bodyBytes);
      if (typeof read === 'string') return refuse(BODY_REFUSALS[read]);
      held = read;
      clue = clueInBody({ target }, held.body.toString('utf8'));
    }
    const passage = passages.enter(request, requestId, clue);
    try {
      if (passage === null) return refuse(noCell);
      const reached = await forward(agent, request, response, { ...passage, body: held?.body ?? null });
      if (!reached) metrics.cellDown(passage.cell.name);
      return passage.cell.name;
    } finally {
      passage?.leave();
      held?.release();
    }
  };

  const server = createServer((request, response) => {
    const [requestId, begun] = [requestIdOf(request), now()];
    answer(request, response, requestId)
      .then((cell) => {
        const seconds = (now() - begun) / 1_000;
        metrics.answered(cell, response.statusCode, seconds);
        // Never the target: it may hold a state or a code.
        log.info(
          { request_id: requestId, method: request.method, cell, status: response.statusCode, seconds },
          'request',
        );
      })
      .catch((error: unknown) => {
        log.error({ request_id: requestId, err: error }, 'a request failed');
        response.destroy();
      });
  });
  server.keepAliveTimeout = 72_000;
  // Of receiving a request alone: answers may stream for as long as they like.
  server.requestTimeout = 120_000;
  server.headersTimeout = 30_000;
  boundUnreadBodies(server, config.bodyBytes);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Once our side has ended nobody reads on. The caller's side would stay open for as long as the caller likes.
    socket.once('finish', () => socket.destroy());
    const requestId = requestIdOf(request);
    const refuse = (failure: Failure): void => {
      const { status, headers, body } = answerOf(failure, requestId);
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const reason = STATUS_CODES[status] ?? '';
      socket.end(`HTTP/1.1 ${String(status)} ${reason}\r\n${lines.join('')}connection: close\r\n\r\n${body}`);
    };
    const { method = '', url: target = '', headers } = request;
    const refused = refusalOf(request) ?? (method === 'GET' ? null : wrongTarget) ?? (cells.tooOld ? mapTooOld : null);
    const clue = clueOf({ method, target, headers });
    const passage = refused === null ? passages.enter(request, requestId, clue === 'body' ? null : clue) : null;
    if (passage === null) {
      refuse(refused ?? noCell);
      return;
    }
    log.info({ request_id: requestId, method, cell: passage.cell.name }, 'upgrade');
    passage.lasts();
    socket.once('close', () => {
      passage.leave();
    });
    forwardUpgrade(request, { socket, head }, passage, (failure) => {
      if (failure === cellUnavailable) metrics.cellDown(passage.cell.name);
      refuse(failure);
    });
  });

  return {
    server,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeIdleConnections();
      const late = setTimeout(() => {
        passages.endAll();
        server.closeAllConnections();
      }, STOP_WITHIN_MS);
      passages.endLasting();
      await closed;
      clearTimeout(late);
      passages.stopWatching();
      await agent.destroy();
    },
  };
}

/** @returns the refusal before any cell was chosen, or null. */
function refusalOf({ url = '', headersDistinct }: IncomingMessage): Failure | null {
  if (!url.startsWith('/') || url.length > MAX_TARGET_CHARACTERS) return wrongTarget;
  const twice = sentTwice(headersDistinct);
  return twice === null ? null : headerTwice(twice);
}

/** The caller's own id if it can stand in logs and headers as it is and is no credential. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE_ID.test(given) && !given.startsWith('cs_') ? given : v7();
}
