import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import { fakeSlackWorld, signed } from './fake-slack-world.js';
import { ReceiveInteraction } from './receive-interaction.js';

const MINUTE_MS = 60_000;
const { appId: APP, teamId: TEAM } = sampleInstalled();

const press = (change: object = {}) => ({
  type: 'block_actions',
  api_app_id: APP,
  team: { id: TEAM },
  trigger_id: '1.2',
  user: { id: 'UADA' },
  channel: { id: 'C1' },
  actions: [{ action_id: 'countersign.approve', value: 'v1' }],
  ...change,
});
const formOf = (payload: unknown): string => new URLSearchParams({ payload: JSON.stringify(payload) }).toString();

async function receiving() {
  const world = fakeSlackWorld();
  await world.install();
  const { uow, home, other, installations, interactions, jobs } = world;
  const receive = new ReceiveInteraction(uow, installations, interactions);
  return {
    ...world,
    receive,
    send: (body: string, headers = signed(body, uow.now)) => receive.execute(body, headers),
    /** The interactions that a worker will carry out, of any tenant. */
    stored: () => [...interactions.of(home), ...interactions.of(other)].map(({ interaction }) => interaction),
    queued: () => [...jobs.of(home), ...jobs.of(other)].map(({ name }) => name),
  };
}

const UNSIGNED = { ok: false, error: { kind: 'unauthenticated', code: 'slack.signature' } };
const TAKEN = { ok: true, value: undefined };

describe('an interaction of Slack', () => {
  it('is stored for a worker if its app and workspace signed it', async () => {
    const world = await receiving();
    expect(await world.send(formOf(press()))).toEqual(TAKEN);
    expect(world.stored()).toEqual([
      { kind: 'button', action: 'approve', value: 'v1', trigger: '1.2', user: 'UADA', team: TEAM, channel: 'C1' },
    ]);
    expect(world.queued()).toEqual(['slack.interaction']);
  });

  it('T13: is stored once, however often its body comes, under any good signature', async () => {
    const world = await receiving();
    const body = formOf(press());
    const first = signed(body, world.uow.now);
    await Promise.all([world.send(body, first), world.send(body, first)]);
    await world.pass(MINUTE_MS);
    expect(await world.send(body)).toEqual(TAKEN);
    expect([world.stored().length, world.queued().length]).toEqual([1, 1]);
  });

  it('T12: is refused more than five minutes after it was signed, and stored nowhere', async () => {
    const world = await receiving();
    const body = formOf(press());
    const headers = signed(body, world.uow.now);
    await world.pass(5 * MINUTE_MS + 1_000);
    expect(await world.send(body, headers)).toMatchObject(UNSIGNED);
    expect([world.stored(), world.queued()]).toEqual([[], []]);
  });

  it.each<[string, string]>([
    ['names an app that is installed nowhere', formOf(press({ api_app_id: 'A9' }))],
    ['names a workspace without the app', formOf(press({ team: { id: 'T9' } }))],
    ['names no app', formOf(press({ api_app_id: undefined }))],
    ['has no payload', 'x=1'],
    ['has a payload that is no JSON', 'payload={'],
    ['is empty', ''],
  ])('T12: is refused if it %s', async (_what, body) => {
    const world = await receiving();
    expect(await world.send(body)).toMatchObject(UNSIGNED);
    expect([world.stored(), world.queued()]).toEqual([[], []]);
  });

  it('T12: is refused with the secret of another tenant', async () => {
    const world = await receiving();
    const theirs = { ...sampleApp(), signingSecret: '7'.repeat(32) };
    await world.uow.run(world.other.tenantId, async (tx) => {
      await world.installations.saveApp(tx, theirs);
      await world.installations.saveInstallation(tx, sampleInstalled('T2'));
    });
    const mine = formOf(press());
    expect(await world.send(mine, signed(mine, world.uow.now, theirs.signingSecret))).toMatchObject(UNSIGNED);
    const own = formOf(press({ team: { id: 'T2' } }));
    expect(await world.send(own, signed(own, world.uow.now))).toMatchObject(UNSIGNED);
    expect(world.stored()).toEqual([]);
    expect(await world.send(own, signed(own, world.uow.now, theirs.signingSecret))).toEqual(TAKEN);
    expect(world.interactions.of(world.other)).toHaveLength(1);
  });

  it('T12: is refused with the former secret, once the app has another', async () => {
    const world = await receiving();
    await world.inTx((tx) => world.installations.saveApp(tx, { ...sampleApp(), signingSecret: '7'.repeat(32) }));
    expect(await world.send(formOf(press()))).toMatchObject(UNSIGNED);
  });

  it.each<[string, object]>([
    ['a button that only opens a page', { actions: [{ action_id: 'countersign.open' }] }],
    ['another kind of interaction', { type: 'shortcut' }],
  ])('is acknowledged and not stored if it is %s', async (_what, change) => {
    const world = await receiving();
    expect(await world.send(formOf(press(change)))).toEqual(TAKEN);
    expect([world.stored(), world.queued()]).toEqual([[], []]);
  });
});
