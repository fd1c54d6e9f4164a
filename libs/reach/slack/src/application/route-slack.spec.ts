import { newId, type ChangeRequestId, type PersonId, type PersonPrincipal } from '#lib/kernel';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import type { SlackRoutes } from '../domain/loosened-routes.js';
import { fakeSlackWorld } from './fake-slack-world.js';
import { RouteSlack } from './route-slack.js';

async function routing() {
  const world = fakeSlackWorld();
  const { uow, home, installations, twoPersonRule, audit, inTx } = world;
  const route = new RouteSlack(uow, installations, twoPersonRule, audit);
  const author: PersonPrincipal = { ...home.admin, reason: 'We moved.' };
  const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
  const before: SlackRoutes = { channels: { production: 'C1' }, onDuty: [home.owner.personId] };
  expect(await route.execute(home.admin, before)).toMatchObject({ ok: true, value: { outcome: 'done' } });
  return {
    ...world,
    author,
    confirmer,
    before,
    route: (wanted: SlackRoutes, by: PersonPrincipal = author) => route.execute(by, wanted),
    confirm: async () => {
      const [change] = twoPersonRule.waitingIn(home);
      if (change === undefined) throw new Error('no change waits');
      const confirmed = sampleConfirmation(change, author, confirmer);
      const payload = route.payload.parse(change.payload);
      return inTx((tx) => route.carryOut(tx, { ...confirmed, changeId: newId<ChangeRequestId>() }, payload));
    },
    routes: () =>
      inTx(async (tx) => {
        const { channels, onDuty } = await installations.settings(tx);
        return { channels, onDuty };
      }),
  };
}

describe('the routes of Slack', () => {
  it('are set at once if they only add, and audited', async () => {
    const world = await routing();
    const { personId } = world.home.admin;
    const wanted: SlackRoutes = {
      channels: { ...world.before.channels, staging: 'C2' },
      onDuty: [...world.before.onDuty, personId],
    };
    const routed = await world.route(wanted, world.home.admin);
    expect(routed).toMatchObject({ ok: true, value: { outcome: 'done', value: wanted } });
    expect(await world.routes()).toEqual(wanted);
    expect(world.audited().at(-1)).toEqual({
      action: 'slack.routed',
      actor: expect.objectContaining({ id: personId }) as unknown,
      level: 'full',
      subject: { type: 'tenant', id: world.home.tenantId },
      payload: { channels: wanted.channels, on_duty: wanted.onDuty },
    });
  });

  it('are refused with a person on duty that the tenant does not know, and change nothing', async () => {
    const world = await routing();
    const stranger = newId<PersonId>();
    const routed = await world.route({ ...world.before, onDuty: [...world.before.onDuty, stranger] });
    expect(routed).toMatchObject({ ok: false, error: { code: 'slack.unknown_person' } });
    expect([await world.routes(), world.audited().length]).toEqual([world.before, 1]);
  });

  it('T44: wait for a second person if they take messages away, and stay as they are before', async () => {
    const world = await routing();
    const { displayName, personId } = world.home.owner;
    const wanted: SlackRoutes = { channels: { production: 'C2' }, onDuty: [] };
    expect(await world.route(wanted)).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect([await world.routes(), world.audited().length]).toEqual([world.before, 1]);
    expect(world.twoPersonRule.waitingIn(world.home)).toMatchObject([
      {
        kind: 'slack_routes',
        payload: { channels: { production: 'C2' }, on_duty: [] },
        loosens: [
          'the channel C1 no longer hears of production, C2 does',
          `${displayName} is on duty no longer, and is told nothing directly`,
        ],
        detail: { before: { channels: { production: 'C1' }, on_duty: [personId] } },
      },
    ]);
    expect(await world.confirm()).toMatchObject({ ok: true, value: { outcome: 'done' } });
    expect(await world.routes()).toEqual(wanted);
    expect(world.audited().at(-1)).toMatchObject({
      actor: { id: world.confirmer.personId },
      payload: { requested_by: world.author.personId, guarded: true },
    });
  });

  it('are void if they changed while they waited', async () => {
    const world = await routing();
    const moved = { ...world.before, channels: { production: 'C1', staging: 'C2' } };
    // It loosens the same against both.
    await world.route({ ...moved, channels: { production: 'C2', staging: 'C2' } });
    await world.inTx((tx) => world.installations.setChannels(tx, moved.channels));
    expect(await world.confirm()).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
    expect(await world.routes()).toEqual(moved);
  });

  it('void a change of the routes that waits on those before', async () => {
    const world = await routing();
    await world.route({ channels: {}, onDuty: [] });
    await world.route({ ...world.before, channels: { ...world.before.channels, staging: 'C2' } });
    expect(world.twoPersonRule.waitingIn(world.home)).toEqual([]);
  });

  it('need a reason if they wait', async () => {
    const world = await routing();
    const refused = world.route({ channels: {}, onDuty: [] }, world.home.admin);
    await expect(refused).rejects.toMatchObject({ failure: { code: 'change.reason_missing' } });
    expect(await world.routes()).toEqual(world.before);
  });
});
