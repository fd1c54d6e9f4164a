import { FakeApprovalWorld } from './fake-approval-world.js';

let world: FakeApprovalWorld;
beforeEach(() => {
  world = new FakeApprovalWorld();
});

describe('what has run out', () => {
  it('is recorded, open or granted, and nothing else is', async () => {
    const [pending, granted] = [await world.asked(), await world.granted()];
    world.uow.now = pending.expiresAt - 1;
    expect(await world.expiring.execute(100)).toBe(0);
    world.uow.now += 1;
    const open = await world.asked();
    expect(await world.expiring.execute(100)).toBe(1);
    expect(await world.find(pending.id)).toMatchObject({
      state: 'expired',
      closedReason: { code: 'approval.expired_undecided' },
    });
    expect((await world.find(granted.id)).state).toBe('granted');
    expect((await world.find(open.id)).state).toBe('open');
    world.uow.now += 180 * 60_000;
    expect(await world.expiring.execute(100)).toBe(2);
    expect(await world.find(granted.id)).toMatchObject({
      state: 'expired',
      closedReason: { code: 'approval.expired_unused' },
    });
    expect(world.audited.at(-1)).toMatchObject({
      action: 'approval_request.expired',
      actor: { kind: 'system', id: 'approval-expiry' },
    });
  });

  it('is recorded once, as many as are asked for, whoever sweeps', async () => {
    const late = [await world.asked(), await world.asked(), await world.asked()];
    world.uow.now += 60 * 60_000;
    expect(await world.expiring.execute(2)).toBe(2);
    const both = await Promise.all([world.expiring.execute(100), world.expiring.execute(100)]);
    expect(both.reduce((one, other) => one + other)).toBe(1);
    for (const { id } of late) expect((await world.find(id)).state).toBe('expired');
    expect(world.audited.filter(({ action }) => action === 'approval_request.expired')).toHaveLength(3);
  });
});
