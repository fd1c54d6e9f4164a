import { slackWorld, type SlackWorld } from '../support/slack-world.js';

let world: SlackWorld;
let good: {
  path: '/slack/interactions' | '/slack/commands' | '/slack/events';
  body: string;
  headers: Readonly<Record<string, string>>;
};

beforeAll(async () => {
  world = await slackWorld();
  const request = await world.asked();
  await world.settle();
  good = (await world.slack.press(world.message(request), 'countersign.approve', 'UADA')).sent;
  await world.settle();
}, 120_000);
afterAll(() => world.close());

/** Every stored interaction. */
const written = async (): Promise<unknown> => {
  const interactions = await world.api.db.owner.query('select id, done_at from slack_interaction order by id');
  const codes = await world.api.db.owner.query('select count(*) from slack_link_code');
  const audit = await world.api.db.owner.query('select count(*) from audit_entry');
  return [interactions.rows, codes.rows, audit.rows];
};

const seconds = (offset: number): number => Math.floor(Date.now() / 1_000) + offset;

describe('T12: a request that Slack did not sign, or signed long ago', () => {
  it.each<[string, () => typeof good]>([
    ['no signature', () => ({ ...good, headers: { 'content-type': good.headers['content-type'] ?? '' } })],
    [
      'a wrong signature',
      () => ({ ...good, headers: { ...good.headers, 'x-slack-signature': `v0=${'0'.repeat(64)}` } }),
    ],
    ['another version', () => ({ ...good, headers: { ...good.headers, 'x-slack-signature': 'v1=abc' } })],
    [
      'a timestamp that is not the signed one',
      () => {
        const earlier = String(Number(good.headers['x-slack-request-timestamp']) - 1);
        return { ...good, headers: { ...good.headers, 'x-slack-request-timestamp': earlier } };
      },
    ],
    ['a timestamp more than five minutes old', () => world.slack.sign(good.path, fresh(), seconds(-301))],
    ['a timestamp more than five minutes ahead', () => world.slack.sign(good.path, fresh(), seconds(310))],
    [
      'a timestamp that is no number',
      () => ({ ...good, headers: { ...good.headers, 'x-slack-request-timestamp': '1e9' } }),
    ],
    [
      'a body that was re-serialised',
      () => ({
        ...good,
        body: new URLSearchParams(good.body.replaceAll('+', '%20')).toString().replaceAll('%22', '%22%20'),
      }),
    ],
    ['a body with one more byte', () => ({ ...good, body: `${good.body}&` })],
    [
      'an app that is installed nowhere',
      () => world.slack.sign(good.path, good.body.replaceAll(world.slack.workspace.appId, 'A0NOWHERE')),
    ],
    [
      'a workspace that is not the app’s',
      () =>
        world.slack.sign(good.path, good.body.replaceAll(`%22${world.slack.workspace.teamId}%22`, '%22T0NOWHERE%22')),
    ],
    ['no payload at all', () => world.slack.sign(good.path, 'x=1')],
    [
      'a command without a signature',
      () => ({
        path: '/slack/commands',
        body: `team_id=${world.slack.workspace.teamId}&api_app_id=${world.slack.workspace.appId}&user_id=UADA&text=link`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    ],
  ])('is 401 with %s, and nothing is written', async (_what, request) => {
    const before = await written();
    const answer = await world.slack.send(request());
    expect([answer.status, (JSON.parse(answer.body) as { code: string }).code]).toEqual([401, 'slack.signature']);
    expect(await written()).toEqual(before);
  });

  it('is 415 for a form on any other route, and for anything but a form here', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const elsewhere = await world.api.app.inject({ method: 'POST', url: '/v1/tasks', headers: form, payload: 'a=1' });
    expect(elsewhere.statusCode).toBe(415);
  });
});

/** The same click in a body of its own. */
const fresh = (): string => good.body.replace(/trigger_id%22%3A%22\d+/, `trigger_id%22%3A%22${String(Date.now())}`);
