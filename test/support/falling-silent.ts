import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A server behind a machine that loses its power or its network: nothing comes back, and no connection closes. */
export interface FallingSilent {
  readonly url: string;
  readonly silent: boolean;
  /** Falls silent when a client sends these words. */
  at(words: string): void;
  close(): Promise<void>;
}

/** @param url of the PostgreSQL behind it. */
export async function fallingSilent(url: string): Promise<FallingSilent> {
  const behind = new URL(url);
  const sockets = new Set<Socket>();
  let last: string | null = null;
  let silent = false;
  const held = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    held(client);
    const upstream = held(connect(Number(behind.port), behind.hostname));
    client.on('data', (chunk) => {
      silent ||= last !== null && chunk.includes(last);
      if (!silent) upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!silent) client.write(chunk);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('end', () => {
        if (!silent) other.end();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = new URL(url);
  here.host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url: here.href,
    get silent() {
      return silent;
    },
    at: (words) => {
      last = words;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
