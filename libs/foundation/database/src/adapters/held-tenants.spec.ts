import { newId, type TenantId } from '#lib/kernel';
import { HELD_STALE_MS, HeldTenants } from './held-tenants.js';

const UNTIL = '2026-11-26 12:00:01.5+00';

describe('the tenants that are moving', () => {
  const moving: TenantId = newId();
  const other: TenantId = newId();

  function arrange() {
    const world = { now: 0, held: [moving] as readonly TenantId[], down: false };
    const tenants = new HeldTenants(
      () =>
        world.down
          ? Promise.reject(new Error('no database'))
          : Promise.resolve({ held: world.held, knownUntil: UNTIL }),
      () => world.now,
    );
    return { world, tenants };
  }

  it('are asked about, and no others, while the last answer is fresh', async () => {
    const { world, tenants } = arrange();
    expect(tenants.questionOf(other)).toBe('ask');
    await tenants.refresh();
    expect([tenants.questionOf(moving), tenants.questionOf(other)]).toEqual(['ask', { knownUntil: UNTIL }]);
    world.now += HELD_STALE_MS + 1;
    expect(tenants.questionOf(other)).toBe('ask');
  });

  it('are all asked about while the database gives no answer', async () => {
    const { world, tenants } = arrange();
    world.down = true;
    await tenants.start();
    tenants.close();
    expect(tenants.questionOf(other)).toBe('ask');
  });

  it('count as of the moment of the question, however long the answer takes', async () => {
    const { world } = arrange();
    const slow = new HeldTenants(
      () => {
        world.now += HELD_STALE_MS + 1;
        return Promise.resolve({ held: [], knownUntil: UNTIL });
      },
      () => world.now,
    );
    await slow.refresh();
    expect(slow.questionOf(other)).toBe('ask');
  });
});
