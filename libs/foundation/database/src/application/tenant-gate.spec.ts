import { FailureError, newId, type TenantId } from '#lib/kernel';
import { TenantGate } from './tenant-gate.js';

const refusal = new FailureError({ kind: 'unavailable', code: 'test.refused', message: 'No.' });
const nothing = (): Promise<string> => Promise.resolve('done');

function gate() {
  const world = { checked: [] as TenantId[], refuses: false, now: 0 };
  const made = new TenantGate(
    (tenantId) => {
      world.checked.push(tenantId);
      return world.refuses ? Promise.reject(refusal) : Promise.resolve();
    },
    () => world.now,
  );
  return Object.assign(world, { gate: made });
}

describe('a gate of tenants', () => {
  const [one, other] = [newId<TenantId>(), newId<TenantId>()];

  it('checks each tenant once, and again after a promotion', async () => {
    const world = gate();
    await Promise.all([
      world.gate.enter(one, nothing),
      world.gate.enter(one, nothing),
      world.gate.enter(other, nothing),
    ]);
    await world.gate.enter(one, nothing);
    expect(world.checked).toEqual([one, other]);
    world.gate.close();
    expect(await world.gate.enter(one, nothing)).toBe('done');
    expect(world.checked).toEqual([one, other, one]);
  });

  it('begins nothing for a refused tenant, and looks again after a second', async () => {
    const world = gate();
    world.refuses = true;
    const begin = jest.fn(nothing);
    for (const _time of [1, 2]) await expect(world.gate.enter(one, begin)).rejects.toBe(refusal);
    expect([world.checked.length, begin.mock.calls.length]).toEqual([1, 0]);
    world.refuses = false;
    world.now = 1_001;
    expect(await world.gate.enter(one, begin)).toBe('done');
  });

  it('stops a transaction that got its connection from a server promoted meanwhile', async () => {
    const world = gate();
    const begun = world.gate.enter(one, (stillOpen) => {
      world.gate.close();
      stillOpen();
      return nothing();
    });
    await expect(begun).rejects.toMatchObject({ failure: { code: 'database.unavailable' } });
  });

  it('believes no check that a promotion overtook', async () => {
    let release: () => void = () => undefined;
    const slow = new TenantGate(
      () => new Promise((resolve) => (release = resolve)),
      () => 0,
    );
    const begun = slow.enter(one, nothing);
    slow.close();
    release();
    await expect(begun).rejects.toMatchObject({ failure: { code: 'database.unavailable' } });
  });
});
