import { createServer, type AddressInfo } from 'node:net';
import { openDataSource } from './open-data-source.js';

/** A message of PostgreSQL's protocol, version 3.0: a letter, and how long the rest is. */
const message = (letter: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5, letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

it('a connection that ends as it begins is refused, and ends no process', async () => {
  const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
  const over = message(
    'E',
    Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
  );
  const server = createServer((socket) => {
    // Together, as they arrive if the process was busy meanwhile.
    socket.once('data', () => socket.end(Buffer.concat([welcome, over])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  process.on('uncaughtException', hear);
  try {
    const url = `postgresql://nobody@127.0.0.1:${String(port)}/nothing`;
    await expect(
      openDataSource({ url, poolSize: 1, applicationName: 'countersign-test', entities: [] }),
    ).rejects.toThrow();
    expect(unheard).toEqual([]);
  } finally {
    process.off('uncaughtException', hear);
    await new Promise((resolve) => server.close(resolve));
  }
});
