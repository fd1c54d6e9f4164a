import { newId, type EmbedderId } from '#lib/kernel';
import { KeyringKeyWrapping, type Keyring } from '#lib/tenancy';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeEmbedders } from '../application/embedders.contract.js';
import { SqlEmbedders } from './sql-embedders.js';

let opened: { readonly world: Awaited<ReturnType<typeof postgresWorld>>; readonly embedders: SqlEmbedders } | null =
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
const under = (current: string) => new SqlEmbedders(new KeyringKeyWrapping(keyringAt(current)));

beforeAll(async () => {
  opened = { world: await postgresWorld(), embedders: under('one') };
});
afterAll(() => open().world.close());

describeEmbedders('in PostgreSQL', open);

describe('the token of an embedder in PostgreSQL', () => {
  it('T32: lies encrypted, and comes along with a rotation of the master key', async () => {
    const { world } = open();
    const { tenantId, owner } = world.home;
    const id = newId<EmbedderId>();
    const [before, after] = [under('one'), under('two')];
    await world.uow.run(tenantId, async (tx) => {
      await before.remove(tx);
      const settings = { url: 'https://models.example.com/v1', ca: null, model: 'one', dimensions: 64, generation: 1 };
      await before.save(tx, { id, ...settings, createdBy: owner.personId, createdAt: await tx.now() });
      await before.saveToken(tx, id, 'model-token');
    });
    const { rows } = await world.db.owner.query<{ row: string }>(
      `select embedder::text || encode(ciphertext, 'escape') as row from embedder where id = $1`,
      [id],
    );
    expect(rows[0]?.row).not.toContain('model-token');
    const resealed = await world.uow.run(tenantId, (tx) => after.resealStale(tx, 'two', 10));
    expect(resealed).toEqual({ ok: true, value: [`embedder/${id}`] });
    keys.delete('one');
    expect(await world.uow.run(tenantId, (tx) => after.token(tx, id))).toBe('model-token');
  });
});
