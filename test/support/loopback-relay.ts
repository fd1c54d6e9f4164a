import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between clients and a PostgreSQL, on loopback. */
export interface LoopbackRelay {
  /** The address for clients: that of the server behind it, with the relay's host and port. */
  readonly url: string;
  /** Ends each connection in both directions, and listens no more. */
  close(): Promise<void>;
}

/**
 * @param url of the PostgreSQL behind it.
 * @param join passes on what the two ends of a connection say, and their ends. Each of them may half-close. An error ends its own socket alone.
 */
export async function loopbackRelay(
  url: string,
  join: (client: Socket, upstream: Socket) => void,
): Promise<LoopbackRelay> {
  const behind = new URL(url);
  const sockets = new Set<Socket>();
  const held = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    join(held(client), held(connect({ port: Number(behind.port), host: behind.hostname, allowHalfOpen: true })));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = new URL(url);
  here.search = ''; // not past the relay, by a socket of the server
  here.host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url: here.href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
