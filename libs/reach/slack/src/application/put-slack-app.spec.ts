import { newId, type ChangeRequestId, type PersonPrincipal } from '#lib/kernel';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import { fakeSlackWorld } from './fake-slack-world.js';
import { PutSlackApp } from './put-slack-app.js';
import type { SlackApp } from './slack.ports.js';

const OTHER_SECRET: SlackApp = { ...sampleApp(), signingSecret: '7'.repeat(32) };
const OTHER_CLIENT: SlackApp = { ...sampleApp(), clientId: '2.2' };

async function entering() {
  const world = fakeSlackWorld();
  const { uow, home, installations, links, waiting, twoPersonRule, audit, inTx } = world;
  let followed = 0;
  const follower = {
    changed: () => {
      followed += 1;
      return Promise.resolve();
    },
    removed: () => Promise.reject(new Error('no workspace was removed')),
  };
  const put = new PutSlackApp({ uow, installations, links, waiting, twoPersonRule, follower, audit });
  await inTx((tx) => installations.saveApp(tx, sampleApp()));
  await world.link(home.owner, 'UADA');
  const author: PersonPrincipal = { ...home.admin, reason: 'The secret leaked.' };
  const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
  return {
    ...world,
    author,
    confirmer,
    put: (app: SlackApp, by: PersonPrincipal = author) => put.execute(by, app),
    /** Confirms the change request. */
    confirm: async (changeId: ChangeRequestId) => {
      const [change] = twoPersonRule.waitingIn(home);
      if (change === undefined) throw new Error('no change waits');
      const payload = put.payload.parse(change.payload);
      const confirmed = { ...sampleConfirmation(change, author, confirmer), changeId };
      return inTx((tx) => put.carryOut(tx, confirmed, payload));
    },
    followed: () => followed,
    app: () => inTx((tx) => installations.app(tx)),
    linked: () => inTx(async (tx) => (await links.mine(tx, home.owner.personId)).length),
  };
}

const waits = async (world: Awaited<ReturnType<typeof entering>>, app: SlackApp): Promise<ChangeRequestId> => {
  const put = await world.put(app);
  if (!put.ok || put.value.outcome !== 'waits') throw new Error('the change does not wait');
  return put.value.change.id;
};

describe('the app of a tenant', () => {
  it('T34: waits for a second person if its signing secret is another, and changes nothing before', async () => {
    const world = await entering();
    await waits(world, OTHER_SECRET);
    expect([await world.app(), await world.linked(), world.followed()]).toEqual([sampleApp(), 1, 0]);
    expect(world.audited()).toEqual([]);
    expect(world.twoPersonRule.waitingIn(world.home)).toMatchObject([
      {
        kind: 'slack_app',
        subject: { type: 'tenant', id: world.home.tenantId },
        loosens: [expect.stringContaining('anybody who knows the signing secret can press buttons') as string],
        detail: {
          ...{ app_before: '1.1', app_after: '1.1', signed_by_slack_with: 'another secret' },
          accounts_linked_now: 'all have to link again',
        },
      },
    ]);
  });

  it('T38: waits without a secret in the change', async () => {
    const world = await entering();
    await waits(world, OTHER_SECRET);
    const shown = JSON.stringify(world.twoPersonRule.waitingIn(world.home));
    for (const secret of [OTHER_SECRET.signingSecret, OTHER_SECRET.clientSecret]) expect(shown).not.toContain(secret);
  });

  it('is entered when a second person confirms it: every link ends, and destinations are tested anew', async () => {
    const world = await entering();
    const changeId = await waits(world, OTHER_SECRET);
    expect(await world.confirm(changeId)).toMatchObject({ ok: true, value: { outcome: 'done', alone: false } });
    expect([await world.app(), await world.linked(), world.followed()]).toEqual([OTHER_SECRET, 0, 1]);
    expect(world.audited()).toEqual([
      {
        action: 'slack_app.changed',
        actor: expect.objectContaining({ id: world.confirmer.personId }) as unknown,
        level: 'full',
        subject: { type: 'tenant', id: world.home.tenantId },
        payload: {
          ...{ client_id: '1.1', ended_links: 1 },
          ...{ change_id: changeId, requested_by: world.author.personId, guarded: true },
        },
      },
    ]);
  });

  it('waits if other credentials have the same signing secret, and then keeps the links', async () => {
    const world = await entering();
    const changeId = await waits(world, OTHER_CLIENT);
    expect(world.twoPersonRule.waitingIn(world.home)).toMatchObject([
      { loosens: ['Slack is installed as the app 2.2, with other credentials than before'] },
    ]);
    await world.confirm(changeId);
    expect([await world.app(), await world.linked()]).toEqual([OTHER_CLIENT, 1]);
    expect(world.audited()).toMatchObject([{ payload: { ended_links: 0 } }]);
  });

  it.each([
    ['another app over an installed one', OTHER_CLIENT, true, true],
    ['another secret of the installed app', OTHER_SECRET, true, false],
    ['another app before an installation', OTHER_CLIENT, false, false],
  ])('says of %s whether commands stop', async (_what, app, isInstalled, stop) => {
    const world = await entering();
    if (isInstalled) await world.inTx((tx) => world.installations.saveInstallation(tx, sampleInstalled()));
    await waits(world, app);
    const shown = JSON.stringify(world.twoPersonRule.waitingIn(world.home));
    expect(shown.includes('"commands_in_slack":"stop until this app is installed"')).toBe(stop);
  });

  it('does not wait if nothing changes', async () => {
    const world = await entering();
    expect(await world.put(sampleApp())).toMatchObject({ ok: true, value: { outcome: 'done', alone: false } });
    expect([await world.linked(), world.audited()]).toMatchObject([1, [{ payload: { ended_links: 0 } }]]);
  });

  it('is entered at once by an admin who is alone, and says so', async () => {
    const world = await entering();
    world.twoPersonRule.secondAdmin = false;
    expect(await world.put(OTHER_SECRET)).toMatchObject({ ok: true, value: { outcome: 'done', alone: true } });
    expect([await world.app(), await world.linked()]).toEqual([OTHER_SECRET, 0]);
    expect(world.audited()).toMatchObject([{ payload: { guarded: false } }]);
  });

  it('needs a reason if it waits, and keeps no secret without one', async () => {
    const world = await entering();
    await expect(world.put(OTHER_SECRET, world.home.admin)).rejects.toMatchObject({
      failure: { code: 'change.reason_missing' },
    });
    expect(world.twoPersonRule.waitingIn(world.home)).toEqual([]);
  });

  it('is void if the app changed meanwhile, and if the kept secrets are others', async () => {
    const world = await entering();
    const changeId = await waits(world, OTHER_SECRET);
    await world.pass(1);
    await world.inTx((tx) => world.installations.saveApp(tx, OTHER_CLIENT));
    expect(await world.confirm(changeId)).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
    await expect(world.confirm(newId<ChangeRequestId>())).rejects.toThrow('are not there');
    expect([await world.app(), world.audited()]).toEqual([OTHER_CLIENT, []]);
  });

  it('voids every other change of the set-up that waits on the one before', async () => {
    const world = await entering();
    await waits(world, OTHER_SECRET);
    await world.pass(1);
    await world.put(sampleApp());
    expect(world.twoPersonRule.waitingIn(world.home)).toEqual([]);
    const kinds = world.twoPersonRule.movedIn(world.home).map(({ kind }) => kind);
    expect(kinds).toEqual(['slack_app', 'slack_workspace', 'slack_routes']);
  });
});
