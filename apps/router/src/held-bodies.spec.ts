import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { createRouter, type Router } from './create-router.js';
import type { CurrentCells } from './current-cells.js';
import { HeldBodies, type HeldBody } from './held-bodies.js';
import type { RouterMetrics } from './router-metrics.js';

const LONG_MS = 60_000;

/** A request whose body begins with so many bytes. */
function begun(bytes: number): IncomingMessage & PassThrough {
  const stream = new PassThrough();
  stream.write(Buffer.alloc(bytes));
  // The reader asks a request for its headers and its bytes alone.
  return Object.assign(stream, { headers: {} }) as unknown as IncomingMessage & PassThrough;
}

function whole(bytes: number): IncomingMessage {
  const request = begun(bytes);
  request.end();
  return request;
}

const bytesOf = (read: HeldBody | string): number | string => (typeof read === 'string' ? read : read.body.length);

describe('bodies in memory', () => {
  it('of one client are at most its share of the requests', async () => {
    const bodies = new HeldBodies({ bytes: 8_000, atOnce: 3, share: 2 / 3, withinMs: LONG_MS });
    const [first] = [await bodies.read(whole(1), 'a', 1_000), await bodies.read(whole(1), 'a', 1_000)];
    expect(await bodies.read(whole(1), 'a', 1_000)).toBe('full');
    expect(bytesOf(await bodies.read(whole(1), 'b', 1_000))).toBe(1);
    // All clients together have three.
    expect(await bodies.read(whole(1), 'c', 1_000)).toBe('full');
    if (typeof first !== 'string') first.release();
    expect(bytesOf(await bodies.read(whole(1), 'a', 1_000))).toBe(1);
  });

  it('of one client are at most its share of the bytes, and one body in any case', async () => {
    const bodies = new HeldBodies({ bytes: 2_400, atOnce: 100, share: 1 / 8, withinMs: LONG_MS });
    expect(bytesOf(await bodies.read(whole(900), 'a', 1_000))).toBe(900);
    expect(await bodies.read(whole(900), 'a', 1_000)).toBe('full');
    expect(bytesOf(await bodies.read(whole(900), 'b', 1_000))).toBe(900);
    // A refused body gives its bytes back. All clients together have 2,400.
    expect(bytesOf(await bodies.read(whole(100), 'a', 1_000))).toBe(100);
    expect(await bodies.read(whole(900), 'c', 1_000)).toBe('full');
  });

  it('give their place back if they do not arrive in time', async () => {
    const bodies = new HeldBodies({ bytes: 1_000, atOnce: 1, share: 1, withinMs: 20 });
    const slow = begun(900);
    expect(await bodies.read(slow, 'a', 1_000)).toBe('late');
    slow.write(Buffer.alloc(900));
    expect(bytesOf(await bodies.read(whole(900), 'a', 1_000))).toBe(900);
  });
});

describe('a body that stalls at the router', () => {
  let router: Router;
  const stalled: ClientRequest[] = [];
  afterEach(async () => {
    for (const each of stalled.splice(0)) each.destroy();
    await router.close();
  });

  async function start(withinMs: number): Promise<void> {
    const cells = { all: [], tooOld: false, find: () => null, onChange: () => () => undefined };
    router = createRouter(
      {
        ...{ trustedProxies: ['127.0.0.1'], bodyBytes: 1_000, answerTimeoutMs: LONG_MS },
        bodies: { bytes: 8_000, atOnce: 8, share: 1 / 8, withinMs },
      },
      {
        // Of both, the exchanges of these tests use these members alone.
        cells: cells as unknown as CurrentCells,
        metrics: { answered: () => undefined } as unknown as RouterMetrics,
        ...{ log: pino({ level: 'silent' }), now: Date.now },
      },
    );
    router.server.listen(0, '127.0.0.1');
    await once(router.server, 'listening');
  }

  /** A request from behind the proxy that announces ten bytes. */
  function post(client: string): ClientRequest {
    const sending = httpRequest({
      ...{ host: '127.0.0.1', port: (router.server.address() as AddressInfo).port, agent: false },
      ...{ method: 'POST', path: '/v1/grants/redeem' },
      headers: { 'content-length': 10, 'x-forwarded-for': client },
    });
    sending.on('error', () => undefined);
    sending.flushHeaders();
    stalled.push(sending);
    return sending;
  }

  async function answerTo(sending: ClientRequest): Promise<readonly [number | undefined, string]> {
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    return [response.statusCode, (JSON.parse(await text(response)) as { code: string }).code];
  }

  it('keeps no other client out', async () => {
    await start(LONG_MS);
    const arrived = once(router.server, 'request');
    post('203.0.113.1');
    await arrived;
    expect(await answerTo(post('203.0.113.1').end('0123456789'))).toEqual([503, 'router.busy']);
    expect(await answerTo(post('203.0.113.2').end('0123456789'))).toEqual([503, 'router.no_cell']);
  });

  it('is refused after its time', async () => {
    await start(20);
    expect(await answerTo(post('203.0.113.1'))).toEqual([408, 'request.timeout']);
  });
});
