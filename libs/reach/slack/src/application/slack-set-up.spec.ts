import type { ChangeRequestId, PersonPrincipal } from '#lib/kernel';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import { fakeSlackWorld, PUBLIC_URL } from './fake-slack-world.js';
import { BOT_SCOPES, SlackSetUp } from './slack-set-up.js';

const SLACK_URL = 'https://slack.example';
const CALLBACK = `${PUBLIC_URL}/slack/oauth/callback`;
const MINUTE_MS = 60_000;

async function settingUp() {
  const world = fakeSlackWorld();
  const { uow, home, installations, waiting, twoPersonRule, audit, slack, digests, inTx } = world;
  const followed: unknown[] = [];
  const follower = {
    changed: () => {
      followed.push('changed');
      return Promise.resolve();
    },
    removed: (_tx: unknown, by: { readonly personId: string }, { teamName }: { readonly teamName: string }) => {
      followed.push({ removed: teamName, by: by.personId });
      return Promise.resolve();
    },
  };
  const addresses = { publicUrl: PUBLIC_URL, slackUrl: SLACK_URL };
  const setUp = new SlackSetUp({
    uow,
    installations,
    waiting,
    slack,
    digests,
    twoPersonRule,
    follower,
    audit,
    addresses,
  });
  await inTx((tx) => installations.saveApp(tx, sampleApp()));
  const author: PersonPrincipal = { ...home.admin, reason: 'We start with Slack.' };
  const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
  const begin = async (by: PersonPrincipal = author): Promise<string> => {
    const begun = await setUp.begin(by);
    if (!begun.ok) throw new Error(begun.error.code);
    return new URL(begun.value).searchParams.get('state') ?? '';
  };
  return {
    ...world,
    setUp,
    author,
    confirmer,
    followed,
    begin,
    /** The whole way of the admin's browser. */
    install: async (by: PersonPrincipal = author) => setUp.finish(await begin(by), { code: slack.consent() }),
    confirm: async (changeId: ChangeRequestId) => {
      const [change] = twoPersonRule.waitingIn(home);
      if (change === undefined) throw new Error('no change waits');
      const confirmed = { ...sampleConfirmation(change, author, confirmer), changeId };
      return inTx((tx) => setUp.carryOut(tx, confirmed, setUp.payload.parse(change.payload)));
    },
    workspace: async () => (await inTx((tx) => installations.workspace(tx)))?.teamId ?? null,
    alone: () => {
      twoPersonRule.secondAdmin = false;
    },
  };
}

const CHANGE = /\/changes\/([0-9a-f-]{36})$/;
const requestOf = (finished: Awaited<ReturnType<SlackSetUp['finish']>>): ChangeRequestId => {
  const id = finished.ok ? CHANGE.exec(finished.value.nextUrl)?.[1] : undefined;
  if (id === undefined) throw new Error('no change waits');
  return id as ChangeRequestId;
};

const INSTALLED = { ok: true, value: { nextUrl: `${PUBLIC_URL}/settings/slack?installed=1` } };
const BAD_STATE = { ok: false, error: { kind: 'unauthenticated', code: 'slack.state' } };

describe('the beginning of an installation', () => {
  it('leads to the consent page of Slack, for the scopes of the bot', async () => {
    const { setUp, author } = await settingUp();
    const begun = await setUp.begin(author);
    const address = new URL(begun.ok ? begun.value : '');
    expect(`${address.origin}${address.pathname}`).toBe(`${SLACK_URL}/oauth/v2/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: '1.1',
      scope: BOT_SCOPES.join(','),
      redirect_uri: CALLBACK,
      state: expect.stringMatching(/^[\w-]{53}$/) as string,
    });
    expect(address.href).not.toContain(sampleApp().clientSecret);
  });

  it('needs an app, and a reason if a second person would have to confirm it', async () => {
    const { setUp, author, home, other } = await settingUp();
    expect(await setUp.begin(other.admin)).toMatchObject({ ok: false, error: { code: 'slack.no_app' } });
    await expect(setUp.begin(home.admin)).rejects.toMatchObject({ failure: { code: 'change.reason_missing' } });
    expect(await setUp.begin(author)).toMatchObject({ ok: true });
  });
});

describe('an installation', () => {
  it('is written at once by an admin who is alone, and audited', async () => {
    const world = await settingUp();
    world.alone();
    expect(await world.install(world.home.admin)).toEqual(INSTALLED);
    expect([await world.workspace(), world.followed]).toEqual(['T1', ['changed']]);
    const outdated = world.twoPersonRule.movedIn(world.home).map(({ kind }) => kind);
    expect(outdated).toEqual(['slack_app', 'slack_workspace', 'slack_routes']);
    const { teamId, teamName, appId } = sampleInstalled();
    expect(world.audited()).toMatchObject([
      {
        action: 'slack.installed',
        actor: { id: world.home.admin.personId, credential_id: world.home.admin.credentialId },
        payload: { team_id: teamId, team_name: teamName, app_id: appId, guarded: false },
      },
    ]);
  });

  it('T34: waits for a second person, without a token in the change', async () => {
    const world = await settingUp();
    const changeId = requestOf(await world.install());
    expect([await world.workspace(), world.followed, world.audited()]).toEqual([null, [], []]);
    const [change] = world.twoPersonRule.waitingIn(world.home);
    expect(change).toMatchObject({
      kind: 'slack_workspace',
      loosens: [
        'the owner of the workspace Workspace T1 can press buttons as anybody who links their account there',
        'requests and incidents are told in Workspace T1',
      ],
    });
    expect(JSON.stringify(change)).not.toContain('xoxb');
    expect(await world.confirm(changeId)).toMatchObject({ ok: true, value: { outcome: 'done' } });
    expect([await world.workspace(), world.followed]).toEqual(['T1', ['changed']]);
    expect(world.audited()).toMatchObject([
      {
        action: 'slack.installed',
        actor: { id: world.confirmer.personId },
        payload: { change_id: changeId, requested_by: world.author.personId, guarded: true },
      },
    ]);
  });

  it('does not wait in the workspace that is installed already', async () => {
    const world = await settingUp();
    world.alone();
    await world.install();
    world.twoPersonRule.secondAdmin = true;
    expect(await world.install()).toEqual(INSTALLED);
    expect(world.twoPersonRule.waitingIn(world.home)).toEqual([]);
  });

  it('names the workspace that it replaces', async () => {
    const world = await settingUp();
    await world.inTx((tx) => world.installations.saveInstallation(tx, sampleInstalled('T2')));
    requestOf(await world.install());
    expect(world.twoPersonRule.waitingIn(world.home)[0]?.loosens).toContain(
      'requests and incidents are told in Workspace T1, and no longer in Workspace T2',
    );
  });

  it('is void if the set-up changed while it waited', async () => {
    const world = await settingUp();
    const changeId = requestOf(await world.install());
    await world.pass(1);
    await world.inTx((tx) => world.installations.saveApp(tx, sampleApp()));
    expect(await world.confirm(changeId)).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
    expect(await world.workspace()).toBeNull();
  });

  it('T14: has a state that works once, even if Slack refuses its code', async () => {
    const world = await settingUp();
    world.alone();
    const state = await world.begin();
    expect(await world.setUp.finish(state, { code: 'invented' })).toMatchObject({
      ok: false,
      error: { code: 'slack.oauth', message: 'Slack refused the installation: invalid_code.' },
    });
    expect(await world.setUp.finish(state, { code: world.slack.consent() })).toMatchObject(BAD_STATE);
    expect(await world.workspace()).toBeNull();
  });

  it.each([
    ['access_denied', 'slack.declined', 'You declined the installation at Slack'],
    ['invalid_scope', 'slack.oauth', 'Slack refused the installation: invalid_scope.'],
  ])('says why Slack sent no code: %s', async (error, code, message) => {
    const world = await settingUp();
    const state = await world.begin();
    expect(await world.setUp.finish(state, { code: '', error })).toMatchObject({
      ok: false,
      error: { code, message: expect.stringContaining(message) as string },
    });
    expect(await world.setUp.finish(state, { code: world.slack.consent() })).toMatchObject(BAD_STATE);
    expect(await world.setUp.finish('invented', { code: '', error })).toMatchObject(BAD_STATE);
    expect(world.slack.calls).toEqual([]);
  });

  it('T14: has a state that is too old after ten minutes', async () => {
    const world = await settingUp();
    const state = await world.begin();
    await world.pass(10 * MINUTE_MS);
    expect(await world.setUp.finish(state, { code: world.slack.consent() })).toMatchObject(BAD_STATE);
    expect(world.slack.calls).toEqual([]);
  });

  it.each(['', 'invented', 'A'.repeat(43)])('is refused with a state that was not begun here: "%s"', async (state) => {
    const world = await settingUp();
    await world.begin();
    expect(await world.setUp.finish(state, { code: world.slack.consent() })).toMatchObject(BAD_STATE);
    expect(world.slack.calls).toEqual([]);
  });

  it('passes on an error that is not of Slack', async () => {
    const world = await settingUp();
    const state = await world.begin();
    world.slack.failures.push({ method: 'exchangeCode', error: new Error('broken') });
    await expect(world.setUp.finish(state, { code: world.slack.consent() })).rejects.toThrow('broken');
  });

  it('T19: is refused if another tenant has this app in this workspace, and leaves the one before', async () => {
    const world = await settingUp();
    world.alone();
    await world.inTx((tx) => world.installations.saveInstallation(tx, sampleInstalled('T2')));
    await world.uow.run(world.other.tenantId, (tx) => world.installations.saveInstallation(tx, sampleInstalled()));
    await expect(world.install()).rejects.toMatchObject({ failure: { code: 'slack.workspace_taken' } });
    expect([await world.workspace(), world.followed, world.audited()]).toEqual(['T2', [], []]);
  });

  it('fails if the app is gone when Slack answers', async () => {
    const world = await settingUp();
    const state = await world.begin();
    world.installations.app = () => Promise.resolve(null);
    expect(await world.setUp.finish(state, { code: world.slack.consent() })).toMatchObject({
      error: { code: 'slack.no_app' },
    });
  });
});

describe('the removal of the workspace', () => {
  it('is done at once, audited and told, and voids the change requests on it', async () => {
    const world = await settingUp();
    await world.inTx((tx) => world.installations.saveInstallation(tx, sampleInstalled('T2')));
    requestOf(await world.install());
    await world.setUp.remove(world.home.admin);
    expect(await world.workspace()).toBeNull();
    const by = world.home.admin.personId;
    expect(world.followed).toEqual([{ removed: 'Workspace T2', by }]);
    expect(world.audited()).toMatchObject([
      { action: 'slack.removed', actor: { id: by }, payload: { team_id: 'T2', team_name: 'Workspace T2' } },
    ]);
    expect(world.twoPersonRule.waitingIn(world.home)).toEqual([]);
  });

  it('is nothing without a workspace', async () => {
    const world = await settingUp();
    await world.setUp.remove(world.home.admin);
    expect([world.followed, world.audited()]).toEqual([[], []]);
  });

  it('keeps the app and the routes', async () => {
    const world = await settingUp();
    await world.inTx((tx) => world.installations.saveInstallation(tx, sampleInstalled()));
    await world.setUp.remove(world.home.admin);
    expect(await world.setUp.settings(world.home.admin)).toMatchObject({
      ...{ app: { clientId: '1.1' }, installation: null },
    });
  });
});
