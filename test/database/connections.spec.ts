import { EMBEDDER, embedderEntity } from '#lib/embedder';
import { newId, type ConnectionId } from '#lib/kernel';
import { SIEM_COLLECTOR, siemCollectorEntity } from '#lib/siem';
import { createKeys, type Keyring, type KeyWrapping } from '#lib/tenancy';
import { postgresWorld } from '../support/postgres-world.js';
import { describeConnections } from '../../libs/reach/connection/src/application/connections.contract.js';
import { TypeormConnections } from '../../libs/reach/connection/src/adapters/typeorm-connections.js';

let opened: Awaited<ReturnType<typeof postgresWorld>> | null = null;
const world = () => {
  if (opened === null) throw new Error('the world is not open');
  return opened;
};
const keys = new Map(['one', 'two'].map((id, index) => [id, Buffer.alloc(32, index + 1)]));
const wrappingAt = (current: string, all: ReadonlyMap<string, Buffer>): KeyWrapping => {
  const key = all.get(current) ?? Buffer.alloc(0);
  const keyring: Keyring = {
    current: () => Promise.resolve({ id: current, key }),
    byId: (id) => Promise.resolve(all.get(id) ?? null),
    ring: () => Promise.resolve({ current, keys: all }),
  };
  return createKeys(keyring).wrapping;
};

beforeAll(async () => {
  opened = await postgresWorld();
});
afterAll(() => world().close());

const collectors = new TypeormConnections(SIEM_COLLECTOR, siemCollectorEntity, wrappingAt('one', keys));
describeConnections(
  'a SIEM collector in PostgreSQL',
  (url, ca) => ({ url, ca }),
  () => ({ world: world(), connections: collectors }),
);

const embedders = new TypeormConnections(EMBEDDER, embedderEntity, wrappingAt('one', keys));
describeConnections(
  'an embedder in PostgreSQL',
  (url, ca) => ({ url, ca, model: 'one', dimensions: 64 }),
  () => ({ world: world(), connections: embedders }),
);

describe('the token of a connection in PostgreSQL', () => {
  it('T32: lies encrypted, and comes along with a rotation of the master key', async () => {
    const { uow, db, home } = world();
    const id = newId<ConnectionId>();
    const after = new TypeormConnections(SIEM_COLLECTOR, siemCollectorEntity, wrappingAt('two', keys));
    await uow.run(home.tenantId, async (tx) => {
      await collectors.remove(tx);
      const settings = { url: 'https://siem.example.com/in', ca: null };
      const saved = { id, settings, generation: 1, createdBy: home.owner.personId, createdAt: await tx.now() };
      await collectors.save(tx, saved);
      await collectors.saveToken(tx, id, 'hec-token');
    });
    const { rows } = await db.owner.query<{ row: string }>(
      `select siem_collector::text || encode(ciphertext, 'escape') as row from siem_collector where id = $1`,
      [id],
    );
    expect(rows[0]?.row).not.toContain('hec-token');
    const resealed = await uow.run(home.tenantId, (tx) => after.resealStale(tx, 'two', 10));
    expect(resealed).toEqual({ ok: true, value: [`siem_collector/${id}`] });
    const alone = new Map([...keys].filter(([key]) => key === 'two'));
    const left = new TypeormConnections(SIEM_COLLECTOR, siemCollectorEntity, wrappingAt('two', alone));
    expect(await uow.run(home.tenantId, (tx) => left.token(tx, id))).toBe('hec-token');
  });
});
