import { actorOf } from '#lib/kernel';
import { channelOf, FakeDestinationWorld } from './fake-destination-world.js';
import { FollowSlack } from './follow-slack.js';

let world: FakeDestinationWorld;
let following: FollowSlack;
beforeEach(async () => {
  world = new FakeDestinationWorld();
  following = new FollowSlack(
    world.settings,
    world.checks,
    world.audit,
    world.outbox,
    (address) => channelOf(address) === 'slack',
  );
  await world.put({ security: ['C1', 's@example.com'], managers: ['C2', 'C3'] });
  world.errors.set('C2', 'channel_not_found');
  await world.testing.testAll(world.admin);
  await world.put({ security: ['C1', 's@example.com'], managers: ['C2', 'C4'] });
  world.uow.now += 1_000;
});

describe('a change of the Slack set-up', () => {
  it('voids the last test of each channel, and of no other address', async () => {
    const before = world.audited.length;
    await world.inTx((tx) => following.changed(tx));
    for (const address of ['C1', 'C2', 'C3'])
      expect(await world.check(address)).toMatchObject({
        outdated: true,
        error: expect.stringContaining('set up anew') as string,
      });
    expect(await world.check('s@example.com')).toMatchObject({ outdated: false, error: null });
    expect(world.audited).toHaveLength(before);
    expect(world.notices).toEqual([]);
  });
});

describe('a Slack workspace that is removed', () => {
  it('silences each channel at once, records those that had answered, and notifies people', async () => {
    const before = world.audited.length;
    const by = { actor: actorOf(world.admin), personId: world.admin.personId };
    await world.inTx((tx) => following.removed(tx, by, { teamName: 'Acme' }));
    const silent = { outdated: false, error: expect.stringContaining('not connected') as string };
    for (const address of ['C1', 'C2', 'C4'])
      expect(await world.check(address)).toMatchObject({ checkedAt: world.uow.now, ...silent });
    expect(await world.check('s@example.com')).toMatchObject({ error: null });
    expect(world.audited.slice(before)).toMatchObject([
      {
        action: 'incident_destination.failed',
        actor: { id: world.admin.personId },
        level: 'full',
        payload: { address: 'C1', error: silent.error },
      },
    ]);
    expect(world.notices).toEqual([
      {
        topic: 'slack.removed',
        payload: {
          person_id: world.admin.personId,
          team_name: 'Acme',
          at: new Date(world.uow.now).toISOString(),
        },
      },
    ]);
  });
});
