import { createServer } from 'node:net';

/** The port itself if no process listens there on 127.0.0.1, otherwise one that is free now. */
export async function freePort(preferred: number): Promise<number> {
  return (await bindable(preferred)) ?? (await bindable(0)) ?? preferred;
}

function bindable(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(undefined);
    });
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : undefined);
      });
    });
  });
}
