import { newId } from '#lib/kernel';
import { FakeDestinationWorld } from './fake-destination-world.js';

let world: FakeDestinationWorld;
beforeEach(() => {
  world = new FakeDestinationWorld();
});

/** The actions of the audit entries with their addresses. */
const audited = (): readonly string[] =>
  world.audited.map(({ action, payload }) => `${action} ${(payload as { address: string }).address}`);

describe('a test of all destinations', () => {
  it('sends one message to each address, and keeps and shows the results by destination', async () => {
    await world.put({ security: ['C1', 's@example.com'], managers: ['C2', 'C1'] });
    world.errors.set('C2', 'channel_not_found');
    const shown = await world.testing.testAll(world.admin);
    expect(world.tested.toSorted()).toEqual(['C1', 'C2', 's@example.com']);
    expect(shown).toMatchObject([
      { name: 'managers', reach: 'answers', addresses: [{ address: 'C2', channel: 'slack' }, { address: 'C1' }] },
      { name: 'security', reach: 'answers', addresses: [{ address: 'C1' }, { channel: 'email' }] },
    ]);
    expect(await world.testing.read(world.tenant.tenantId)).toEqual(shown);
    const at = world.uow.now;
    expect(await world.check('C1')).toMatchObject({ checkedAt: at, answeredAt: at, error: null });
    expect(await world.check('C2')).toMatchObject({ checkedAt: at, answeredAt: null, error: 'channel_not_found' });
    expect(world.audited).toHaveLength(3);
    expect(world.audited).toContainEqual(
      expect.objectContaining({
        action: 'incident_destination.failed',
        actor: expect.objectContaining({ id: world.admin.personId }) as unknown,
        level: 'full',
        payload: { address: 'C2', error: 'channel_not_found' },
      }),
    );
  });

  it('sends at most eight messages at the same time, and never inside a transaction', async () => {
    const addresses = Array.from({ length: 20 }, (_each, index) => `C${String(index)}`);
    await world.put({ security: addresses });
    let [onTheWay, most] = [0, 0];
    world.whileTesting = async () => {
      onTheWay += 1;
      most = Math.max(most, onTheWay);
      await world.inForce();
      onTheWay -= 1;
    };
    await world.testing.testAll(world.admin);
    expect(world.tested).toHaveLength(20);
    expect(most).toBe(8);
  });
});

describe('an address', () => {
  const turn = async (error: string | null): Promise<void> => {
    world.uow.now += 1_000;
    if (error === null) world.errors.delete('C1');
    else world.errors.set('C1', error);
    await world.testing.testAll(world.admin);
  };

  it('is on record if it begins to fail or to answer, and people are notified if it begins to fail', async () => {
    await world.put({ security: ['C1'] });
    for (const error of [null, null, 'channel_not_found', 'is_archived', null]) await turn(error);
    expect(audited()).toEqual([
      'incident_destination.answered C1',
      'incident_destination.failed C1',
      'incident_destination.answered C1',
    ]);
    expect(world.notices).toEqual([{ topic: 'incident_destination.failed', payload: { address: 'C1' } }]);
  });

  it('notifies no person if it never answered: its admin has just tested it', async () => {
    await world.put({ security: ['C1'] });
    await turn('channel_not_found');
    expect(audited()).toEqual(['incident_destination.failed C1']);
    expect(world.notices).toEqual([]);
  });

  it('keeps no result of a test that Slack was set up anew during', async () => {
    await world.put({ security: ['C1'] });
    await turn(null);
    world.whileTesting = async () => {
      world.uow.now += 10;
      await world.inTx((tx) => world.checks.outdate(tx, ['C1'], world.uow.now, 'set up anew'));
    };
    await turn('channel_not_found');
    expect(await world.check('C1')).toMatchObject({ outdated: true, error: 'set up anew' });
    expect(audited()).toEqual(['incident_destination.answered C1']);
    world.whileTesting = () => Promise.resolve();
    await turn(null);
    expect(await world.check('C1')).toMatchObject({ outdated: false, error: null });
    expect(audited()).toEqual(['incident_destination.answered C1', 'incident_destination.answered C1']);
  });
});

describe('a test of new settings', () => {
  it('goes to the addresses without a test that counts alone', async () => {
    await world.put({ security: ['C1', 'C2'] });
    await world.testing.testAll(world.admin);
    await world.inTx((tx) => world.checks.outdate(tx, ['C2'], world.uow.now + 1, 'set up anew'));
    world.uow.now += 5;
    world.tested.length = 0;
    await world.testing.testNew(world.admin, { destinations: { security: ['C1', 'C2'], managers: ['C3'] } });
    expect(world.tested).toEqual(['C2', 'C3']);
    expect(await world.check('C3')).toMatchObject({ error: null });
  });
});

describe('the daily test', () => {
  const due = async (address: string): Promise<void> => {
    const id = await world.inTx((tx) => Promise.resolve(world.checks.idOf(tx, address)));
    await world.testing.testDue(world.tenant.tenantId, id ?? newId());
  };

  it('goes to the address of the check, by Countersign itself', async () => {
    await world.put({ security: ['C1', 'C2'] });
    await world.testing.testAll(world.admin);
    world.tested.length = 0;
    world.errors.set('C1', 'is_archived');
    world.uow.now += 86_400_000;
    await due('C1');
    expect(world.tested).toEqual(['C1']);
    expect(world.audited.at(-1)).toMatchObject({
      action: 'incident_destination.failed',
      actor: { kind: 'system', id: 'incident-destination-check' },
    });
    expect(world.notices).toHaveLength(1);
  });

  it('forgets an address that no destination has any more, and sends it nothing', async () => {
    await world.put({ security: ['C1', 'C2'] });
    await world.testing.testAll(world.admin);
    world.tested.length = 0;
    await world.put({ security: ['C2'] });
    await due('C1');
    expect(world.tested).toEqual([]);
    expect([await world.check('C1'), await world.check('C2')]).toMatchObject([undefined, { address: 'C2' }]);
    await due('C1');
    expect(world.tested).toEqual([]);
  });
});
