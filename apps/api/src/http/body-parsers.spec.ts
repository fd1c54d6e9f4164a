import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { FailureError } from '#lib/kernel';
import { useBodyParsers } from './body-parsers.js';
import { isLongBody, MAX_OF_UNKNOWN, readLongBody } from './incoming-body.js';

const LIMIT = 4 * MAX_OF_UNKNOWN;
/** Long messages from Slack that are read at once, and those from one network. */
const AT_ONCE = 32;
const OF_NETWORK = 8;

let server: FastifyInstance;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  server = fastify({ trustProxy: true });
  useBodyParsers(server, LIMIT);
  server.setErrorHandler((error, _request, reply) =>
    reply.status(400).send(error instanceof FailureError ? error.failure.code : String(error)),
  );
  server.post('/v1/refused', (request) => (isLongBody(request) ? 'long' : 'short'));
  server.post('/v1/known', async (request) => {
    await readLongBody(request);
    return (request.body as Buffer).length;
  });
  for (const signed of ['/slack/events', '/hooks/acme/automations/nightly']) {
    server.post(signed, ({ body }) => (body as string).length);
  }
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** Says that so many bytes come, and sends some of them. */
function begin(path: string, comes: number | 'in chunks', sent: number, network = 0): Socket {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  sockets.push(socket);
  send(socket, path, comes, sent, network);
  return socket;
}

function send(socket: Socket, path: string, comes: number | 'in chunks', sent: number, network = 0): void {
  const framed = comes === 'in chunks' ? 'transfer-encoding: chunked' : `content-length: ${String(comes)}`;
  const from = `host: localhost\r\nx-forwarded-for: 192.0.2.${String(network)}`;
  socket.write(`POST ${path} HTTP/1.1\r\n${from}\r\ncontent-type: application/json\r\n${framed}\r\n\r\n`);
  socket.write(comes === 'in chunks' ? `${sent.toString(16)}\r\n${'x'.repeat(sent)}\r\n` : 'x'.repeat(sent));
}

const answerOf = async (socket: Socket): Promise<string | undefined> => {
  const [answer] = (await once(socket, 'data')) as [string];
  return answer.split('\r\n\r\n')[1];
};

/** A reset is an end, too. */
const closed = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));

it.each<[string, number | 'in chunks', number, string]>([
  ['a body of 64 KiB', MAX_OF_UNKNOWN, MAX_OF_UNKNOWN, 'short'],
  ['a longer one without its rest', LIMIT, MAX_OF_UNKNOWN + 1, 'long'],
  ['a longer one in chunks', 'in chunks', MAX_OF_UNKNOWN + 1, 'long'],
  ['one beyond the limit, before its first byte,', LIMIT + 1, 0, 'request.too_large'],
])('T33: lets a guard refuse %s at once', async (_what, comes, sent, answer) => {
  expect(await answerOf(begin('/v1/refused', comes, sent))).toBe(answer);
});

it.each<[string, string, number | 'in chunks', number]>([
  ['a guard', '/v1/refused', LIMIT, LIMIT],
  ['a guard that saw chunks', '/v1/refused', 'in chunks', LIMIT],
  ['the limit', '/v1/known', 'in chunks', 2 * LIMIT],
  ['no route', '/v1/nothing', LIMIT, LIMIT],
])('T33: answers the next request on a connection after %s refused a long body', async (_who, path, comes, sent) => {
  const socket = begin(path, comes, sent);
  if (comes === 'in chunks') socket.write('0\r\n\r\n');
  await answerOf(socket);
  send(socket, '/v1/refused', 3, 3);
  expect(await answerOf(socket)).toBe('short');
});

it('T33: ends the connection of a refused body that goes on beyond the limit', async () => {
  const socket = begin('/v1/refused', 'in chunks', LIMIT);
  expect(await answerOf(socket)).toBe('long');
  socket.write(`${(2 * LIMIT).toString(16)}\r\n${'x'.repeat(2 * LIMIT)}\r\n`);
  await closed(socket);
  expect(socket.destroyed).toBe(true);
});

it('reads the rest for a caller who is known, as far as the limit', async () => {
  expect(await answerOf(begin('/v1/known', LIMIT, LIMIT))).toBe(String(LIMIT));
  expect(await answerOf(begin('/v1/known', 'in chunks', LIMIT + 1))).toBe('request.too_large');
});

/** Sends long messages that do not end, one from each network, as a proxy says. */
const holdLanes = (networks: readonly number[]): void => {
  for (const network of networks) begin('/slack/events', LIMIT, MAX_OF_UNKNOWN + 1, network);
};

it('reads so many long messages from Slack at once, and a short one beside them', async () => {
  holdLanes(Array.from({ length: AT_ONCE + 1 }, (_, network) => network));
  expect(await Promise.race(sockets.map((socket) => answerOf(socket)))).toBe('request.long_bodies_busy');
  expect(await answerOf(begin('/slack/events', 3, 3))).toBe('3');
});

it('T33: reads long messages from one network in its share of the lanes alone', async () => {
  holdLanes(Array.from({ length: OF_NETWORK + 1 }, () => 1));
  expect(await Promise.race(sockets.map((socket) => answerOf(socket)))).toBe('request.long_bodies_busy');
  expect(await answerOf(begin('/slack/events', LIMIT, LIMIT, 2))).toBe(String(LIMIT));
});

it('gives its lane back after each long message', async () => {
  for (let before = 0; before <= OF_NETWORK; before += 1) {
    expect(await answerOf(begin('/slack/events', LIMIT, LIMIT))).toBe(String(LIMIT));
  }
});

it('T33: refuses a long message for an automation at once', async () => {
  const path = '/hooks/acme/automations/nightly';
  expect(await answerOf(begin(path, MAX_OF_UNKNOWN, MAX_OF_UNKNOWN))).toBe(String(MAX_OF_UNKNOWN));
  expect(await answerOf(begin(path, LIMIT, MAX_OF_UNKNOWN + 1))).toBe('request.too_large');
});

it('T33: lets go of a client that goes away after a refusal', async () => {
  const accepted = once(server.server, 'connection') as Promise<[Socket]>;
  const client = begin('/v1/refused', LIMIT, LIMIT - 1);
  const [connection] = await accepted;
  expect(await answerOf(client)).toBe('long');
  client.destroy();
  await closed(connection);
  expect(connection.destroyed).toBe(true);
});
