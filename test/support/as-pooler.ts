import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The head of BackendKeyData, which tells a client the process that serves it (PostgreSQL manual, 54.7). */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

/** A server that tells its clients of a process of its own, as a pooler does. */
export interface AsPooler {
  readonly url: string;
  close(): Promise<void>;
}

/** @param url of the PostgreSQL behind it. */
export async function asPooler(url: string): Promise<AsPooler> {
  const behind = new URL(url);
  const sockets = new Set<Socket>();
  const held = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    held(client);
    const upstream = held(connect(Number(behind.port), behind.hostname));
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const at = chunk.indexOf(BACKEND_KEY);
      if (at >= 0) chunk.writeInt32BE(1, at + BACKEND_KEY.length);
      client.write(chunk);
    });
    upstream.on('end', () => client.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = new URL(url);
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
