import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { boundUnreadBodies } from './bound-unread-bodies.js';

const MAX_BYTES = 65_536;

let server: Server;
let client: Socket;

beforeEach(async () => {
  server = createServer((_request, response) => response.end('answered'));
  // Nothing else ends a connection.
  server.keepAliveTimeout = 0;
  boundUnreadBodies(server, MAX_BYTES);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
});
afterEach(() => {
  client.destroy();
  server.close();
});

const head = (framing: string): string => `POST / HTTP/1.1\r\nhost: localhost\r\n${framing}\r\n\r\n`;
const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;

async function answer(): Promise<string> {
  const [text] = (await once(client, 'data')) as [string];
  return text.slice(text.indexOf('\r\n\r\n') + 4);
}

/** A reset is an end, too. */
const ended = (): Promise<unknown> =>
  new Promise((resolve) => client.on('error', () => undefined).once('close', resolve));

describe('a body that nobody reads', () => {
  it.each([
    ['chunks', head('transfer-encoding: chunked'), chunk(2 * MAX_BYTES)],
    ['a length', `${head(`content-length: ${String(9 * MAX_BYTES)}`)}x`, 'x'.repeat(2 * MAX_BYTES)],
  ])('ends its connection beyond the bound, if it comes in %s (T33)', async (_what, begin, rest) => {
    client.write(begin);
    expect(await answer()).toBe('answered');
    const end = ended();
    client.write(rest);
    await end;
    expect(client.destroyed).toBe(true);
  });

  it('leaves the connection to the next request within the bound', async () => {
    client.write(head('transfer-encoding: chunked') + chunk(1));
    await answer();
    client.write(`${chunk(MAX_BYTES - 1)}0\r\n\r\n${head('content-length: 0')}`);
    expect(await answer()).toBe('answered');
  });
});
