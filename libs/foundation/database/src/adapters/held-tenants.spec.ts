import { newId, type TenantId } from '#lib/kernel';
import { HELD_STALE_MS, HeldTenants } from './held-tenants.js';

describe('the tenants that are moving', () => {
  const moving: TenantId = newId();
  const other: TenantId = newId();

  function arrange() {
    const world = { now: 0, held: [moving] as readonly TenantId[], down: false };
    const tenants = new HeldTenants(
      () => (world.down ? Promise.reject(new Error('no database')) : Promise.resolve(world.held)),
      () => world.now,
    );
    return { world, tenants };
  }

  it('are asked about, and no others, while the last answer is fresh', async () => {
    const { world, tenants } = arrange();
    expect(tenants.mayHold(other)).toBe(true);
    await tenants.refresh();
    expect([tenants.mayHold(moving), tenants.mayHold(other)]).toEqual([true, false]);
    world.now += HELD_STALE_MS + 1;
    expect(tenants.mayHold(other)).toBe(true);
  });

  it('are all asked about while the database gives no answer', async () => {
    const { world, tenants } = arrange();
    world.down = true;
    await tenants.start();
    tenants.close();
    expect(tenants.mayHold(other)).toBe(true);
  });

  it('count as of the moment of the question, however long the answer takes', async () => {
    const { world } = arrange();
    const slow = new HeldTenants(
      () => {
        world.now += HELD_STALE_MS + 1;
        return Promise.resolve([]);
      },
      () => world.now,
    );
    await slow.refresh();
    expect(slow.mayHold(other)).toBe(true);
  });
});
