import { createHmac } from 'node:crypto';
import { buttonValue } from '../../libs/reach/slack/src/domain/button-value.js';
import { CHANNELS } from '../support/local-slack.js';
import { slackWorld, textOf, type SlackWorld } from '../support/slack-world.js';

let world: SlackWorld;

beforeAll(async () => {
  world = await slackWorld();
}, 120_000);
afterAll(() => world.close());

type Payload = Readonly<Record<string, unknown>>;

/** The payload with another value on its button. */
const withValue =
  (value: string) =>
  (payload: Payload): Payload => ({
    ...payload,
    actions: (payload.actions as Payload[]).map((action) => ({ ...action, value })),
  });

const valueOf = (request: { readonly id: string }, action: string): string => {
  const buttons = world.message(request).blocks.flatMap((block) => (block.elements ?? []) as Payload[]);
  return String(buttons.find(({ action_id }) => action_id === `countersign.${action}`)?.value);
};

const whisper = (after: number): string => textOf(world.slack.ephemerals.slice(after).flatMap(({ blocks }) => blocks));

describe('T13: clicks that are replayed, repeated, edited or made by another user', () => {
  it('counts a click once, however often its body is sent again', async () => {
    const request = await world.asked();
    await world.settle();
    const { sent } = await world.slack.press(world.message(request), 'countersign.approve', 'UADA');
    await Promise.all([1, 2, 3].map(() => world.slack.send(sent)));
    // Slack's retry has the same body and a new signature.
    const retried = await world.slack.send(world.slack.sign(sent.path, sent.body, Math.floor(Date.now() / 1_000) + 1));
    expect(retried.status).toBe(200);
    await world.settle();
    expect(await world.reviews(request)).toBe(1);
    const { rows } = await world.api.db.owner.query('select count(*) from review where request_id = $1', [request.id]);
    expect(rows).toEqual([{ count: '1' }]);
  });

  it('refuses a value of another request or action, and an invented one', async () => {
    const [one, two] = [await world.asked(), await world.asked()];
    await world.settle();
    const value = valueOf(one, 'approve');
    const digest = 'f'.repeat(64);
    for (const edited of [
      valueOf(one, 'reject'),
      value.replace(one.id, two.id),
      value.replace(/\.[0-9a-f]{64}\./, `.${digest}.`),
      `${value.slice(0, -1)}${value.endsWith('A') ? 'E' : 'A'}`,
      // Another encoding of the same bytes.
      `${value.slice(0, -1)}${String.fromCharCode(value.charCodeAt(value.length - 1) + 1)}`,
      'approve',
      '',
    ]) {
      const before = world.slack.ephemerals.length;
      await world.slack.press(world.message(one), 'countersign.approve', 'UADA', withValue(edited));
      await world.settle();
      expect(whisper(before)).toContain('This button was not made by Countersign for this');
    }
    expect([await world.reviews(one), await world.reviews(two)]).toEqual([0, 0]);
  });

  it('refuses a user without a link, even under the name of a reviewer', async () => {
    const request = await world.asked();
    await world.settle();
    await world.slack.press(world.message(request), 'countersign.approve', 'UEVE', (payload) => ({
      ...payload,
      user: { ...(payload.user as Payload), username: 'Ada', name: 'ada', email: world.ada.email },
    }));
    await world.settle();
    expect(await world.reviews(request)).toBe(0);
    expect(world.slack.ephemerals.at(-1)).toMatchObject({ user: 'UEVE' });
  });

  it('takes no modal with another value, and none that was never shown', async () => {
    const request = await world.asked();
    await world.settle();
    await world.slack.press(world.message(request), 'countersign.reject', 'UADA');
    await world.settle();
    const modal = world.slack.modals.at(-1);
    if (modal === undefined) throw new Error('no modal was opened');
    const metadata = JSON.stringify({ value: valueOf(request, 'approve'), channel: CHANNELS.production });
    await world.slack.submitModal({ ...modal, view: { ...modal.view, private_metadata: metadata } }, 'no');
    await world.settle();
    expect((await world.request(request.id)).state).toBe('open');
    expect(await world.reviews(request)).toBe(0);
  });
});

describe('T03 in Slack: no approval of an own request', () => {
  it('refuses the agent’s accountable person, through any Slack user of theirs', async () => {
    await world.link(world.owner, 'UOWN');
    const request = await world.asked();
    await world.settle();
    const before = world.slack.ephemerals.length;
    await world.slack.press(world.message(request), 'countersign.approve', 'UOWN');
    await world.settle();
    expect(world.slack.ephemerals.length).toBe(before + 1);
    expect(await world.reviews(request)).toBe(0);
  });

  it('counts a second Slack user of the same person as that person', async () => {
    await world.link(world.ada, 'UEVE');
    const request = await world.asked();
    await world.settle();
    for (const user of ['UADA', 'UEVE']) {
      await world.slack.press(world.message(request), 'countersign.approve', user);
      await world.settle();
    }
    expect(await world.reviews(request)).toBe(1);
    expect((await world.request(request.id)).state).toBe('open');
  });
});

describe('T05 in Slack: one person, or two, at the same moment', () => {
  it('counts one review of a person who approves in Slack and over the API at once', async () => {
    const request = await world.asked();
    await world.settle();
    await world.slack.press(world.message(request), 'countersign.approve', 'UADA');
    const body = { verdict: 'approve', subject_digest: request.subject.digest };
    await Promise.all([
      world.settle(),
      world.api.http(world.ada.token).post(`/v1/approval-requests/${request.id}/reviews`, body),
    ]);
    expect(await world.reviews(request)).toBe(1);
  });

  it('comes to one end if approve races reject, and tells the other reviewer', async () => {
    const request = await world.asked();
    await world.settle();
    await world.slack.press(world.message(request), 'countersign.approve', 'UADA');
    await world.settle();
    await world.slack.press(world.message(request), 'countersign.approve', 'UBEN');
    const body = { verdict: 'reject', subject_digest: request.subject.digest, comment: 'no' };
    const [, rejected] = await Promise.all([
      world.settle(),
      world.api.http(world.ben.token).post(`/v1/approval-requests/${request.id}/reviews`, body),
    ]);
    const { state } = await world.request(request.id);
    expect(rejected.status === 201 ? 'denied' : 'approved').toBe(state);
  });
});

describe('T13 with a signing secret that one admin brings in', () => {
  it('lets its owner press no button as a person who linked under the former one', async () => {
    const request = await world.asked();
    await world.settle();
    const { clientId, clientSecret } = world.slack.workspace;
    const signingSecret = '5'.repeat(32);
    const app = { client_id: clientId, client_secret: clientSecret, signing_secret: signingSecret };
    expect((await world.admin.put('/v1/slack/app', app)).status).toBe(200);
    const value = buttonValue(signingSecret, {
      tenantId: world.tenant.id,
      action: 'approve',
      requestId: request.id,
      subjectDigest: request.subject.digest,
    });
    const pressed = await world.slack.press(world.message(request), 'countersign.approve', 'UADA', withValue(value));
    expect(pressed.status).toBe(401);
    const { sent } = pressed;
    const at = sent.headers['x-slack-request-timestamp'] ?? '';
    const signature = createHmac('sha256', signingSecret).update(`v0:${at}:${sent.body}`).digest('hex');
    const forged = await world.slack.send({
      ...sent,
      headers: { ...sent.headers, 'x-slack-signature': `v0=${signature}` },
    });
    expect(forged.status).toBe(200);
    await world.settle();
    expect(await world.reviews(request)).toBe(0);
    expect((await world.api.http(world.ada.token).get('/v1/slack/links')).body).toEqual({ items: [] });
  });
});
