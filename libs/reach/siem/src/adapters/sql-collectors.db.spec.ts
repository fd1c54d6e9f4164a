import { newId, type SiemCollectorId } from '#lib/kernel';
import { KeyringKeyWrapping, type Keyring } from '#lib/tenancy';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeCollectors } from '../application/collectors.contract.js';
import { SqlCollectors } from './sql-collectors.js';

let opened: { readonly world: Awaited<ReturnType<typeof postgresWorld>>; readonly collectors: SqlCollectors } | null =
  null;
const open = () => {
  if (opened === null) throw new Error('the world is not open');
  return opened;
};
const keys = new Map(['one', 'two'].map((id, index) => [id, Buffer.alloc(32, index + 1)]));
const keyringAt = (current: string): Keyring => {
  const key = keys.get(current) ?? Buffer.alloc(0);
  return {
    current: () => Promise.resolve({ id: current, key }),
    byId: (id) => Promise.resolve(keys.get(id)),
    ring: () => Promise.resolve({ current, keys }),
  };
};
const under = (current: string) => new SqlCollectors(new KeyringKeyWrapping(keyringAt(current)));

beforeAll(async () => {
  opened = { world: await postgresWorld(), collectors: under('one') };
});
afterAll(() => open().world.close());

describeCollectors('in PostgreSQL', open);

describe('the token of a collector in PostgreSQL', () => {
  it('T32: lies encrypted, and comes along with a rotation of the master key', async () => {
    const { world } = open();
    const { tenantId, owner } = world.home;
    const id = newId<SiemCollectorId>();
    const [before, after] = [under('one'), under('two')];
    await world.uow.run(tenantId, async (tx) => {
      await before.remove(tx);
      const settings = { url: 'https://siem.example.com/in', ca: null };
      await before.save(tx, { id, ...settings, createdBy: owner.personId, createdAt: await tx.now() });
      await before.saveToken(tx, id, 'hec-token');
    });
    const { rows } = await world.db.owner.query<{ row: string }>(
      `select siem_collector::text || encode(ciphertext, 'escape') as row from siem_collector where id = $1`,
      [id],
    );
    expect(rows[0]?.row).not.toContain('hec-token');
    const resealed = await world.uow.run(tenantId, (tx) => after.resealStale(tx, 'two', 10));
    expect(resealed).toEqual({ ok: true, value: [`siem_collector/${id}`] });
    keys.delete('one');
    expect(await world.uow.run(tenantId, (tx) => after.token(tx, id))).toBe('hec-token');
  });
});
