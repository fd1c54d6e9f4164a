import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { FailureError } from '#lib/kernel';
import { useBodyParsers } from './body-parsers.js';
import { isLongBody, LONGEST_OF_UNKNOWN, readLongBody } from './incoming-body.js';

const LIMIT = 4 * LONGEST_OF_UNKNOWN;
/** Long messages of one kind that are read at once. */
const AT_ONCE = 32;

let server: FastifyInstance;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  server = fastify();
  useBodyParsers(server, LIMIT);
  server.setErrorHandler((error, _request, reply) =>
    reply.status(400).send(error instanceof FailureError ? error.failure.code : String(error)),
  );
  server.post('/v1/refused', (request) => (isLongBody(request) ? 'long' : 'short'));
  server.post('/v1/known', async (request) => {
    await readLongBody(request);
    return (request.body as Buffer).length;
  });
  server.post('/slack/events', ({ body }) => (body as string).length);
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** Says that so many bytes come, and sends some of them. */
function begin(path: string, comes: number | 'in chunks', sent: number): Socket {
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  sockets.push(socket);
  send(socket, path, comes, sent);
  return socket;
}

function send(socket: Socket, path: string, comes: number | 'in chunks', sent: number): void {
  const framed = comes === 'in chunks' ? 'transfer-encoding: chunked' : `content-length: ${String(comes)}`;
  socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${framed}\r\n\r\n`);
  socket.write(comes === 'in chunks' ? `${sent.toString(16)}\r\n${'x'.repeat(sent)}\r\n` : 'x'.repeat(sent));
}

const answerOf = async (socket: Socket): Promise<string | undefined> => {
  const [answer] = (await once(socket, 'data')) as [string];
  return answer.split('\r\n\r\n')[1];
};

it.each<[string, number | 'in chunks', number, string]>([
  ['a body of 64 KiB', LONGEST_OF_UNKNOWN, LONGEST_OF_UNKNOWN, 'short'],
  ['a longer one without its rest', LIMIT, LONGEST_OF_UNKNOWN + 1, 'long'],
  ['a longer one in chunks', 'in chunks', LONGEST_OF_UNKNOWN + 1, 'long'],
  ['one beyond the limit, before its first byte,', LIMIT + 1, 0, 'request.too_large'],
])('lets a guard refuse %s at once', async (_what, comes, sent, answer) => {
  expect(await answerOf(begin('/v1/refused', comes, sent))).toBe(answer);
});

it.each<[string, string, number | 'in chunks', number]>([
  ['a guard', '/v1/refused', LIMIT, LIMIT],
  ['a guard that saw chunks', '/v1/refused', 'in chunks', LIMIT],
  ['the limit', '/v1/known', 'in chunks', 2 * LIMIT],
  ['no route', '/v1/nothing', LIMIT, LIMIT],
])('answers the next request on a connection after %s refused a long body', async (_who, path, comes, sent) => {
  const socket = begin(path, comes, sent);
  if (comes === 'in chunks') socket.write('0\r\n\r\n');
  await answerOf(socket);
  send(socket, '/v1/refused', 3, 3);
  expect(await answerOf(socket)).toBe('short');
});

it('ends the connection of a refused body that goes on beyond the limit', async () => {
  const socket = begin('/v1/refused', 'in chunks', LIMIT);
  expect(await answerOf(socket)).toBe('long');
  socket.write(`${(2 * LIMIT).toString(16)}\r\n${'x'.repeat(2 * LIMIT)}\r\n`);
  // A reset is an end, too.
  await new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
  expect(socket.destroyed).toBe(true);
});

it('reads the rest for a caller who is known, as far as the limit', async () => {
  expect(await answerOf(begin('/v1/known', LIMIT, LIMIT))).toBe(String(LIMIT));
  expect(await answerOf(begin('/v1/known', 'in chunks', LIMIT + 1))).toBe('request.too_large');
});

it('reads so many long signed messages at once, and a short one beside them', async () => {
  for (let opened = 0; opened < AT_ONCE; opened += 1) begin('/slack/events', LIMIT, LONGEST_OF_UNKNOWN + 1);
  const one = begin('/slack/events', LIMIT, LONGEST_OF_UNKNOWN + 1);
  expect(await Promise.race(sockets.map((socket) => answerOf(socket)))).toBe('request.long_bodies_busy');
  expect(await answerOf(begin('/slack/events', 3, 3))).toBe('3');
  one.destroy();
});
