import type { PersonPrincipal } from '#lib/kernel';
import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import { fakeSlackWorld, PUBLIC_URL, type FakeSlackWorld } from './fake-slack-world.js';
import { SlackCallError } from './slack.ports.js';

const YEAR_MS = 365 * 24 * 60 * 60_000;
const ADA = { team: 'T1', user: 'UADA' };

async function linking() {
  const world = fakeSlackWorld();
  await world.install();
  const { linkSlackUser, home } = world;
  return {
    ...world,
    offered: (user = 'UADA') => offered(world, user),
    confirm: (code: string, by: PersonPrincipal = home.owner) => linkSlackUser.confirm(by, code),
    preview: (code: string, by: PersonPrincipal = home.owner) => linkSlackUser.preview(by, code),
    linked: async (by: PersonPrincipal = home.owner) => (await linkSlackUser.mine(by)).map(({ userId }) => userId),
  };
}

const offered = async ({ linkSlackUser, home }: FakeSlackWorld, user: string): Promise<string> => {
  const address = new URL(await linkSlackUser.offer(home.tenantId, user));
  expect(`${address.origin}${address.pathname}`).toBe(`${PUBLIC_URL}/settings/slack`);
  return address.searchParams.get('link') ?? '';
};

const refusal = (code: string) => ({ ok: false, error: { code } });

describe('a link of a Slack user', () => {
  it('is made for the person who confirms it, and audited with its credential', async () => {
    const world = await linking();
    const { home } = world;
    const made = await world.confirm(await world.offered());
    if (!made.ok) throw new Error(made.error.code);
    expect(made.value).toMatchObject({ userId: 'UADA', teamId: 'T1', linkedAt: world.uow.now });
    expect(await world.linked()).toEqual(['UADA']);
    expect(await world.linked(home.admin)).toEqual([]);
    const { personId } = home.owner;
    expect(world.minted).toMatchObject([
      { holder: { kind: 'slack_link', personId }, scopes: ['read', 'run', 'review'], createdBy: null },
    ]);
    expect(world.audited()).toEqual([
      {
        action: 'slack_user.linked',
        actor: expect.objectContaining({ id: home.owner.personId }) as unknown,
        level: 'full',
        subject: { type: 'person', id: home.owner.personId },
        payload: { team_id: 'T1', slack_user_id: 'UADA', credential_id: made.value.credentialId },
      },
    ]);
  });

  it('holds for a year', async () => {
    const world = await linking();
    await world.confirm(await world.offered());
    await world.pass(YEAR_MS - 1);
    expect(await world.linked()).toEqual(['UADA']);
    await world.pass(1);
    expect(await world.linked()).toEqual([]);
  });

  it('T14: works once', async () => {
    const world = await linking();
    const code = await world.offered();
    await world.confirm(code);
    expect(await world.confirm(code, world.home.admin)).toMatchObject(refusal('slack.link_code'));
    expect(await world.preview(code)).toMatchObject(refusal('slack.link_code'));
    expect(await world.linked(world.home.admin)).toEqual([]);
    expect(world.audited()).toHaveLength(1);
  });

  it('T14: is too old after ten minutes', async () => {
    const world = await linking();
    const code = await world.offered();
    await world.pass(600_000);
    expect(await world.preview(code)).toMatchObject(refusal('slack.link_code'));
    expect(await world.confirm(code)).toMatchObject(refusal('slack.link_code'));
  });

  it.each([
    ['is no code of ours', () => 'A'.repeat(43)],
    ['has another shape', () => "x' or '1"],
    ['is empty', () => ''],
    ['has one letter changed', (code: string) => `${code.startsWith('A') ? 'B' : 'A'}${code.slice(1)}`],
    ['has one letter more', (code: string) => `${code}A`],
  ])('is not made with a code that %s', async (_what, change) => {
    const world = await linking();
    const code = await world.offered();
    expect(await world.confirm(change(code))).toMatchObject(refusal('slack.link_code'));
    expect(await world.preview(change(code))).toMatchObject(refusal('slack.link_code'));
    expect([await world.linked(), world.audited()]).toEqual([[], []]);
  });

  it('T19: is not made in another tenant', async () => {
    const world = await linking();
    const { uow, other, installations } = world;
    await uow.run(other.tenantId, async (tx) => {
      await installations.saveApp(tx, sampleApp());
      await installations.saveInstallation(tx, sampleInstalled('T2'));
    });
    const code = await world.offered();
    expect(await world.preview(code, other.owner)).toMatchObject(refusal('slack.link_code'));
    expect(await world.confirm(code, other.owner)).toMatchObject(refusal('slack.link_code'));
    expect(await world.confirm(code)).toMatchObject({ ok: true });
  });

  it('needs a fresh sign-in, and leaves the code for later', async () => {
    const world = await linking();
    const code = await world.offered();
    world.standing.fresh = false;
    expect(await world.confirm(code)).toMatchObject(refusal('sign_in.not_fresh'));
    world.standing.fresh = true;
    expect(await world.confirm(code)).toMatchObject({ ok: true });
  });

  it('does not outlast the credential of its person, and leaves the code for later', async () => {
    const world = await linking();
    const code = await world.offered();
    world.standing.signedIn = false;
    expect(await world.confirm(code)).toMatchObject(refusal('credential.ended'));
    expect([await world.linked(), world.audited()]).toEqual([[], []]);
    world.standing.signedIn = true;
    expect(await world.confirm(code)).toMatchObject({ ok: true });
  });

  it('is not made if Slack is not installed', async () => {
    const world = fakeSlackWorld();
    const code = await offered(world, 'UADA');
    const { linkSlackUser, home } = world;
    expect(await linkSlackUser.confirm(home.owner, code)).toMatchObject(refusal('slack.not_installed'));
    expect(await linkSlackUser.preview(home.owner, code)).toMatchObject(refusal('slack.not_installed'));
  });

  it('is not made while another of the same user holds', async () => {
    const world = await linking();
    const [first, second, third] = [await world.offered(), await world.offered(), await world.offered()];
    const made = await world.confirm(first);
    expect(await world.confirm(second, world.home.admin)).toMatchObject(refusal('slack.user_taken'));
    expect([await world.linked(), await world.linked(world.home.admin)]).toEqual([['UADA'], []]);
    const credentials = world.links.credentials.of(world.home);
    const id = made.ok ? made.value.credentialId : '';
    const credential = credentials.get(id);
    if (credential !== undefined) credentials.set(id, { ...credential, revoked: true });
    expect(await world.confirm(third, world.home.admin)).toMatchObject({ ok: true });
    expect([await world.linked(), await world.linked(world.home.admin)]).toEqual([[], ['UADA']]);
  });

  it('is made for each of several users of one person', async () => {
    const world = await linking();
    await world.confirm(await world.offered());
    await world.confirm(await world.offered('UBEN'));
    expect(await world.linked()).toEqual(['UADA', 'UBEN']);
  });
});

describe('the preview of a link', () => {
  it('names the user and the workspace, and uses nothing up', async () => {
    const world = await linking();
    const code = await world.offered();
    const shown = { ok: true, value: { teamName: 'Workspace T1', userId: 'UADA', name: 'Ada (ada)' } };
    expect(await world.preview(code)).toEqual(shown);
    expect(await world.preview(code, world.home.admin)).toEqual(shown);
    expect(await world.confirm(code)).toMatchObject({ ok: true });
  });

  it('tells that Slack does not answer', async () => {
    const world = await linking();
    const code = await world.offered();
    world.slack.failures.push({ method: 'userName', error: new SlackCallError('unreachable', true) });
    expect(await world.preview(code)).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', code: 'slack.unreachable', retryAfterSeconds: 5 },
    });
  });
});

describe('the person of a Slack user', () => {
  it('is the one who is linked, as they stand now', async () => {
    const { link, linkSlackUser, home } = await linking();
    await link(home.owner, 'UADA');
    expect(await linkSlackUser.principalOf(home.tenantId, ADA)).toEqual(home.owner);
  });

  it('is unknown without a link, in another workspace, and once the credential of the link ended', async () => {
    const world = await linking();
    const { linkSlackUser, home } = world;
    expect(await linkSlackUser.principalOf(home.tenantId, ADA)).toBeNull();
    await world.link(home.owner, 'UADA');
    expect(await linkSlackUser.principalOf(home.tenantId, { ...ADA, team: 'T2' })).toBeNull();
    expect(await linkSlackUser.principalOf(world.other.tenantId, ADA)).toBeNull();
    await world.pass(3_600_000);
    expect(await linkSlackUser.principalOf(home.tenantId, ADA)).toBeNull();
  });

  it('is unknown if the credential is refused at this moment', async () => {
    const { confirm, offered: offer, linkSlackUser, home } = await linking();
    await confirm(await offer());
    expect(await linkSlackUser.principalOf(home.tenantId, ADA)).toBeNull();
  });

  it('T19: is never a person of another tenant', async () => {
    const { link, linkSlackUser, home, other } = await linking();
    await link(home.owner, 'UADA', other.owner);
    expect(await linkSlackUser.principalOf(home.tenantId, ADA)).toBeNull();
  });
});
