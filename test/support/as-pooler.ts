import { loopbackRelay, type LoopbackRelay } from './loopback-relay.js';

/** The head of BackendKeyData, which tells a client the process that serves it (PostgreSQL manual, 54.7). */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

/**
 * A server that tells its clients of a process of its own, as a pooler does.
 *
 * @param url of the PostgreSQL behind it.
 */
export const asPooler = (url: string): Promise<LoopbackRelay> =>
  loopbackRelay(url, (client, upstream) => {
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      const at = chunk.indexOf(BACKEND_KEY);
      if (at >= 0) chunk.writeInt32BE(1, at + BACKEND_KEY.length);
      client.write(chunk);
    });
    upstream.on('end', () => client.end());
  });
