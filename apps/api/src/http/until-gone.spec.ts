import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { untilGone } from './until-gone.js';

let server: Server;
let client: Socket;
let response: ServerResponse;

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
});
afterEach(async () => {
  client.destroy();
  server.close();
  await once(server, 'close');
});

it('aborts when the client goes', async () => {
  const gone = untilGone(response);
  expect(gone.aborted).toBe(false);
  client.destroy();
  await once(gone, 'abort');
});

it('has aborted if the client went before', async () => {
  client.destroy();
  await once(response, 'close');
  expect(untilGone(response).aborted).toBe(true);
});
