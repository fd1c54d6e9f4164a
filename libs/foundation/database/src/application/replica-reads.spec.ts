import { newId, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { ReplicaReads } from './replica-reads.js';

const tenantId = newId<TenantId>();
const away = new Error('away');

function reads() {
  const world = { shows: true, fails: null as Error | null, wrote: 0 };
  const at =
    (name: string): UnitOfWork['run'] =>
    async (_tenantId, work, mode) => {
      if (name === 'replica' && world.fails !== null) throw world.fails;
      return work({ name, mode } as unknown as Tx); // tells its server and the mode, and is no more than passed on
    };
  const refuse = (): Promise<never> => Promise.reject(new Error('not here'));
  const made = new ReplicaReads(
    {
      run: at('primary'),
      rehearse: refuse,
      enclose: (tenant, work) => at('primary')(tenant, (tx) => work({ tx } as never)),
    },
    {
      shows: () => Promise.resolve(world.shows),
      wrote: () => (world.wrote += 1),
      read: at('replica'),
      isAway: (error) => error === away,
    },
  );
  const where = (): Promise<unknown> =>
    made.run(tenantId, (tx) => Promise.resolve((tx as unknown as { name: string }).name)); // the one made above
  return Object.assign(world, { made, where });
}

describe('a read', () => {
  it('goes to the primary unless it says that it may not', async () => {
    const { made, where, ...world } = reads();
    expect(await where()).toBe('primary');
    expect(await made.reading(where)).toBe('replica');
    expect(await where()).toBe('primary');
    expect(world.shows).toBe(true);
  });

  it('goes to the primary while the replica does not show enough, or is away', async () => {
    const world = reads();
    world.shows = false;
    expect(await world.made.reading(world.where)).toBe('primary');
    Object.assign(world, { shows: true, fails: away });
    expect(await world.made.reading(world.where)).toBe('primary');
    world.fails = new Error('a refused statement');
    await expect(world.made.reading(world.where)).rejects.toThrow('a refused statement');
  });

  it('keeps its mode at either server', async () => {
    const world = reads();
    const read = (): Promise<unknown> => world.made.run(tenantId, (tx) => Promise.resolve(tx), 'snapshot');
    expect(await world.made.reading(read)).toEqual({ name: 'replica', mode: 'snapshot' });
    expect(await read()).toEqual({ name: 'primary', mode: 'snapshot' });
  });

  it('does not go back to the replica after the primary, which may know more', async () => {
    const world = reads();
    world.shows = false;
    const read = async (): Promise<unknown[]> => {
      const first = await world.where();
      world.shows = true;
      return [first, await world.where()];
    };
    expect(await world.made.reading(read)).toEqual(['primary', 'primary']);
    expect(await world.made.reading(read)).toEqual(['replica', 'replica']);
  });

  it('stays in a transaction that others join', async () => {
    const { made, where } = reads();
    expect(await made.reading(() => made.enclose(tenantId, () => made.reading(where)))).toBe('primary');
  });

  it('notes each commit at the primary, so that a tenant reads its own writes', async () => {
    const world = reads();
    await world.where();
    await world.made.enclose(tenantId, () => Promise.resolve());
    await world.made.reading(world.where);
    expect(world.wrote).toBe(2);
  });
});
