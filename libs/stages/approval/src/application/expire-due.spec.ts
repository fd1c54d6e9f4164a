import { FakeApprovalWorld } from './fake-approval-world.js';

let world: FakeApprovalWorld;
beforeEach(() => {
  world = new FakeApprovalWorld();
});

describe('a request past its time limit', () => {
  it('is recorded, open or approved, and nothing else is', async () => {
    const [pending, approved] = [await world.asked(), await world.approved()];
    world.uow.now = pending.expiresAt - 1;
    expect(await world.clock(world.expiring)).toBe(0);
    world.uow.now += 1;
    const open = await world.asked();
    expect(await world.clock(world.expiring)).toBe(1);
    expect(await world.find(pending.id)).toMatchObject({
      state: 'expired',
      closedReason: { code: 'approval.expired_undecided' },
    });
    expect((await world.find(approved.id)).state).toBe('approved');
    expect((await world.find(open.id)).state).toBe('open');
    world.uow.now += 180 * 60_000;
    expect(await world.clock(world.expiring)).toBe(2);
    expect(await world.find(approved.id)).toMatchObject({
      state: 'expired',
      closedReason: { code: 'approval.expired_unused' },
    });
    expect(world.audited.at(-1)).toMatchObject({
      action: 'approval_request.expired',
      actor: { kind: 'system', id: 'approval-expiry' },
    });
  });

  it('is recorded once, by any number of workers', async () => {
    const late = [await world.asked(), await world.asked(), await world.asked()];
    world.uow.now += 60 * 60_000;
    const both = await Promise.all([world.clock(world.expiring), world.clock(world.expiring)]);
    expect(both.reduce((one, other) => one + other)).toBe(3);
    for (const { id } of late) expect((await world.find(id)).state).toBe('expired');
    expect(world.audited.filter(({ action }) => action === 'approval_request.expired')).toHaveLength(3);
  });
});
