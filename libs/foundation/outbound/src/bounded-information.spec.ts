import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { request } from 'undici';
import { fetchThrough } from './fetch-through.js';
import { guardedAgent } from './guarded-agent.js';

const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
const sockets = new Set<Socket>();
let server: Server;
let answer: string;
let host: string;

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const fetched = () => fetchThrough(guardedAgent([host], 'own'), `http://${host}/`, { method: 'POST', body: 'x' });
const requested = () => request(`http://${host}/`, { dispatcher: guardedAgent([host], 'own'), method: 'POST' });

it('takes the answer after some informational ones', async () => {
  answer = `${HINTS.repeat(50)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`;
  expect(await (await fetched()).text()).toBe('ok');
  const { statusCode, body } = await requested();
  expect([statusCode, await body.text()]).toEqual([200, 'ok']);
});

it('ends a request that gets more of them, even if its answer follows', async () => {
  answer = `${HINTS.repeat(51)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`;
  const cause = { message: 'more than 50 informational answers (status 1xx), and no other' };
  await expect(fetched()).rejects.toMatchObject({ cause });
  await expect(requested()).rejects.toMatchObject(cause);
});
