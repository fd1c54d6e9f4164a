import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { freePort } from './free-port.js';

describe('a free port', () => {
  it('is the preferred one, or one that no outgoing connection is given', async () => {
    const held = createServer().listen(0, '127.0.0.1');
    await once(held, 'listening');
    const { port: taken } = held.address() as AddressInfo;
    for (const port of [await freePort(taken), await freePort(0)]) {
      expect(port).not.toBe(taken);
      expect(port).toBeGreaterThan(1_024);
      expect(port).toBeLessThan(32_768);
    }
    await new Promise((resolve) => held.close(resolve));
    const free = await freePort(0);
    expect(await freePort(free)).toBe(free);
  });
});
