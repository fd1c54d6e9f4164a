import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import fastify from 'fastify';
import { acceptUpgrades } from './upgrades.js';

const app = fastify();
const open = new Set<Socket>();

beforeAll(async () => {
  acceptUpgrades(app);
  app.get('/', () => 'an answer');
  app.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

/** Asks for another protocol, and leaves its side of the connection open after the answer. */
async function asked(method: string): Promise<{ readonly text: string; readonly client: Socket }> {
  const { port } = app.server.address() as AddressInfo;
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  client.write(`${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n`);
  let text = '';
  client.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(client, 'end');
  return { text, client };
}

describe('a request for another protocol that no route takes', () => {
  it.each([
    ['GET', 'HTTP/1.1 200 OK', 'an answer'],
    ['POST', 'HTTP/1.1 400 Bad Request', ''],
  ])('%s is answered, and its connection ends, though the client keeps its side open', async (method, first, body) => {
    const { text, client } = await asked(method);
    expect([text.split('\r\n')[0], text.split('\r\n\r\n')[1]]).toEqual([first, body]);
    for (const socket of open) await once(socket, 'close');
    expect(open.size).toBe(0);
    client.destroy();
  });
});
