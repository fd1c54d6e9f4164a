import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { AddressRefusedError, publicLookup } from './public-lookup.js';

const TYPE_A = 1;
/**
 * The addresses of names. A name server says that there is no other name, and stays silent about `silent` ones. For
 * `half` ones it fails for all but IPv4.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['93.184.216.34', '93.184.216.35'],
  'half.test': [],
  'private.test': ['10.0.0.1'],
  'zero.test': ['0.0.0.0'],
  'rebinds.test': ['93.184.216.34', '127.0.0.1'],
};
let server: Socket;
let resolvers: Resolver[] = [];

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    const answer = answerTo(question);
    if (answer !== null) server.send(answer, port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const resolver of resolvers) resolver.cancel();
  resolvers = [];
});
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

/** RFC 1035 section 4.1. */
function answerTo(question: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let size = question[at] ?? 0; size > 0; size = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + size));
    at += size + 1;
  }
  if (labels[0]?.startsWith('silent') === true) return null;
  const known = NAMES[labels.join('.')];
  const isIpv4 = question.readUInt16BE(at + 1) === TYPE_A;
  const addresses = isIpv4 ? (known ?? []) : [];
  const fails = labels[0] === 'half' && !isIpv4;
  const header = Buffer.alloc(12);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(fails ? 0x8182 : known === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question.subarray(12, at + 5), ...records]);
}

const lookUp = (host: string, all = true): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const newResolver = (): Resolver => {
      const resolver = new Resolver({ timeout: 10_000, tries: 1 });
      resolver.setServers([`127.0.0.1:${String(server.address().port)}`]);
      resolvers.push(resolver);
      return resolver;
    };
    publicLookup(host, newResolver)(host, { all }, (error, found) => {
      if (error === null) resolve(found);
      else reject(error);
    });
  });

it('finds the public addresses of a name', async () => {
  expect(await lookUp('public.test')).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '93.184.216.35', family: 4 },
  ]);
  expect(await lookUp('public.test', false)).toBe('93.184.216.34');
});

it.each(['private.test', 'zero.test', 'rebinds.test', 'localhost', 'localhost.', 'a.LOCALHOST'])(
  'T31: refuses %s',
  async (host) => {
    await expect(lookUp(host)).rejects.toThrow(AddressRefusedError);
  },
);

it('tells a name without an address from one that cannot be looked up', async () => {
  await expect(lookUp('nobody.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(lookUp('half.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  const late = lookUp('silent.test');
  for (const resolver of resolvers) resolver.cancel();
  await expect(late).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});

it('a name server that stays silent delays no other look-up', async () => {
  let ended = 0;
  const count = (): void => void (ended += 1);
  const late = Array.from({ length: 8 }, (_, at) => lookUp(`silent-${String(at)}.test`).then(count, count));
  expect(await lookUp('public.test')).toHaveLength(2);
  expect(ended).toBe(0);
  for (const resolver of resolvers) resolver.cancel();
  await Promise.all(late);
});
