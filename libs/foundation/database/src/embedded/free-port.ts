import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/**
 * Systems give outgoing connections a port above these: by default Linux from 32768 on, others from 49152 on. A port from there may be
 * free now, and another connection's by the time that a server listens.
 */
const [LOWEST, HIGHEST] = [20_000, 32_767];
const ATTEMPTS = 20;

/**
 * The port itself if no process listens there on 127.0.0.1, otherwise one that is free now.
 *
 * @param preferred 0 for any.
 */
export async function freePort(preferred: number): Promise<number> {
  if (preferred !== 0 && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
  return preferred;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}
