import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** An answer that a server on the loopback has not begun. The client that asked for it reads nothing by itself. */
export interface OwedAnswer {
  readonly client: Socket;
  readonly response: ServerResponse;
  close(): Promise<void>;
}

export async function owedAnswer(): Promise<OwedAnswer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const close = async (): Promise<void> => {
    client.destroy();
    server.close();
    await once(server, 'close');
  };
  return { client, response, close };
}
