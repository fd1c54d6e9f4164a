import { newId } from '#lib/kernel';
import { sampleInstalled } from './fake-slack-app.js';
import { fakeSlackWorld, signed } from './fake-slack-world.js';

const { appId: APP, teamId: TEAM } = sampleInstalled();
const THREAD = '1767603600.000100';
const UNSIGNED = { ok: false, error: { kind: 'unauthenticated', code: 'slack.signature' } };
const NOTHING_FOR_SLACK = { ok: true, value: null };

const replyEvent = (event: object = {}, envelope: object = {}): string =>
  JSON.stringify({
    type: 'event_callback',
    api_app_id: APP,
    team_id: TEAM,
    event_id: 'Ev1',
    event: {
      ...{ type: 'message', user: 'UADA', channel: 'C1', ts: '1767603700.1', thread_ts: THREAD, text: 'why now?' },
      ...event,
    },
    ...envelope,
  });

/** @param subject of the message that was posted at THREAD in C1. */
async function receiving(subject: string) {
  const world = fakeSlackWorld();
  await world.install();
  const { uow, home, interactions, messages } = world;
  await world.inTx(async (tx) => {
    const held = await messages.take(tx, { subject, target: 'C1', threadOf: null }, 60_000);
    if (held === 'busy' || !('id' in held)) throw new Error('the message is not taken');
    await messages.posted(tx, held.id, { channel: 'C1', ts: THREAD }, 'digest');
  });
  return {
    ...world,
    send: (body: string, headers = signed(body, uow.now)) => world.parts.receiveEvent.execute(body, headers),
    stored: () => interactions.of(home).map(({ interaction }) => interaction),
  };
}

const aboutRequest = () => receiving(`request:${newId()}`);

describe('an event of Slack', () => {
  it('answers the check of the address with its challenge, unsigned', async () => {
    const world = await aboutRequest();
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
    const answer = await world.send(body, { timestamp: undefined, signature: undefined });
    expect(answer).toEqual({ ok: true, value: 'abc' });
  });

  it('T13: is stored with the workspace of its user, which may be another one', async () => {
    const world = await aboutRequest();
    await world.send(replyEvent({ user_team: 'T2' }));
    expect(world.stored()).toMatchObject([{ user: 'UADA', team: 'T2' }]);
  });

  it.each(['request', 'told', 'change_request.changed'])(
    'is stored if it is a reply in the thread of a %s',
    async (of) => {
      const subject = `${of}:${newId()}`;
      const world = await receiving(subject);
      expect(await world.send(replyEvent({ text: 'why &lt;now&gt;?' }))).toEqual(NOTHING_FOR_SLACK);
      expect(world.stored()).toEqual([
        { kind: 'reply', action: 'comment', subject, text: 'why <now>?', user: 'UADA', team: TEAM, channel: 'C1' },
      ]);
    },
  );

  it('T13: is stored once under its id, even with another body', async () => {
    const world = await aboutRequest();
    await world.send(replyEvent());
    await world.send(replyEvent({ text: 'again' }));
    expect(world.stored()).toHaveLength(1);
    await world.send(replyEvent({ text: 'again' }, { event_id: 'Ev2' }));
    expect(world.stored()).toHaveLength(2);
  });

  it.each(['news', 'incident.changed', 'request:x'])('is not stored in the thread of a %s', async (of) => {
    const world = await receiving(`${of}:${newId()}`);
    expect(await world.send(replyEvent())).toEqual(NOTHING_FOR_SLACK);
    expect(world.stored()).toEqual([]);
  });

  it.each<[string, object]>([
    ['in the thread of a message that is not ours', { thread_ts: '1767603600.000200' }],
    ['in another channel', { channel: 'C2' }],
    ['outside a thread', { thread_ts: undefined }],
    ['of a bot', { bot_id: 'B1' }],
    ['that was edited', { subtype: 'message_changed' }],
    ['without a text', { text: ' ' }],
  ])('is not stored if it is a text %s', async (_what, change) => {
    const world = await aboutRequest();
    expect(await world.send(replyEvent(change))).toEqual(NOTHING_FOR_SLACK);
    expect(world.stored()).toEqual([]);
  });

  it.each<[string, string]>([
    ['an app that is installed nowhere', replyEvent({}, { api_app_id: 'A9' })],
    ['no event in it', JSON.stringify({ type: 'event_callback' })],
    ['no JSON in it', '{'],
  ])('T12: is refused with %s', async (_what, body) => {
    const world = await aboutRequest();
    expect(await world.send(body)).toMatchObject(UNSIGNED);
    expect(world.stored()).toEqual([]);
  });

  it.each<[string, string, (now: number) => number]>([
    ['another text than the signed one', replyEvent({ text: 'changed' }), (now) => now],
    ['an old signature', replyEvent(), (now) => now - 301_000],
  ])('T12: is refused with %s, and not stored', async (_what, body, at) => {
    const world = await aboutRequest();
    expect(await world.send(body, signed(replyEvent(), at(world.uow.now)))).toMatchObject(UNSIGNED);
    expect(world.stored()).toEqual([]);
  });
});
