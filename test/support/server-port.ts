import { randomInt } from 'node:crypto';
import { freePort } from '../../libs/foundation/database/src/embedded/free-port.js';

const given = new Set<number>();

/**
 * A port of 127.0.0.1 for a server that a test starts, another one for each call. It lies below the ports that Linux gives to
 * outgoing connections (`ip_local_port_range` begins at 32,768). So none of these takes it before the server listens.
 */
export async function serverPort(): Promise<number> {
  for (;;) {
    const port = await freePort(randomInt(20_000, 32_000));
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
