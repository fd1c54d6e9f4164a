import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { createRouter, type Router } from './create-router.js';
import type { CurrentCells } from './current-cells.js';
import type { RouterMetrics } from './router-metrics.js';

const BODY_BYTES = 1_000_000;
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe('a body that is refused before its end', () => {
  let [cell, router]: [Server | null, Router | null] = [null, null];
  let caller: Socket;

  async function start(serve: RequestListener): Promise<void> {
    cell = createServer(serve).listen(0, '127.0.0.1');
    await once(cell, 'listening');
    const here = { name: 'one', url: `http://127.0.0.1:${String(portOf(cell))}`, isDefault: true };
    router = createRouter(
      { trustedProxies: [], bodyBytes: BODY_BYTES, answerTimeoutMs: 60_000 },
      {
        // Of both, the exchanges of these tests use these members alone.
        cells: {
          all: [here],
          tooOld: false,
          find: () => here,
          onChange: () => () => undefined,
        } as unknown as CurrentCells,
        metrics: { answered: () => undefined, cellDown: () => undefined } as unknown as RouterMetrics,
        ...{ log: pino({ level: 'silent' }), now: Date.now },
      },
    );
    router.server.listen(0, '127.0.0.1');
    await once(router.server, 'listening');
    caller = connect(portOf(router.server), '127.0.0.1').setEncoding('utf8');
  }
  afterEach(async () => {
    caller.destroy();
    cell?.close().closeAllConnections();
    await router?.close();
  });

  /** The status and the body of the next answer. */
  async function answer(): Promise<string> {
    let text = '';
    while (!/^HTTP[\s\S]*\r\n\r\n\w+/.test(text)) text += ((await once(caller, 'data')) as [string])[0];
    return text.replace(/^HTTP\/1.1 (\d+)[\s\S]*\r\n\r\n/, '$1 ');
  }

  const head = (length: number): string =>
    `POST /v1/tasks HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${String(length)}\r\n\r\n`;

  it('T33: gets the answer of the cell, and leaves the connection to the next request', async () => {
    await start((request, response) => {
      request.once('data', () => response.writeHead(401, { 'content-length': 7 }).end('refused'));
    });
    caller.write(`${head(BODY_BYTES)}${'x'.repeat(100_000)}`);
    expect(await answer()).toBe('401 refused');
    // More than a stream holds unread.
    caller.write(`${'x'.repeat(BODY_BYTES - 100_000)}${head(1)}x`);
    expect(await answer()).toBe('401 refused');
  });

  it('T33: ends the connection beyond the bound', async () => {
    await start((_request, response) => response.writeHead(401, { 'content-length': 7 }).end('refused'));
    // A reset is an end, too.
    const closed = new Promise((resolve) => caller.on('error', () => undefined).once('close', resolve));
    caller.write(`${head(9 * BODY_BYTES)}x`);
    expect(await answer()).toBe('401 refused');
    caller.write('x'.repeat(3 * BODY_BYTES));
    await closed;
    expect(caller.destroyed).toBe(true);
  });
});
