import { expectStatus } from '../support/api.js';
import { countedStatements } from '../support/counted-statements.js';
import { somebodyWaits } from '../support/database.js';
import { CHANNELS, directOf } from '../support/local-slack.js';
import { codeIn, leaveToWorkers, slackWorld, textOf, type SlackWorld } from '../support/slack-world.js';
import { rolloutPlan } from '../support/stages.js';

let world: SlackWorld;

beforeAll(async () => {
  world = await slackWorld();
}, 120_000);
afterAll(() => world.close());
afterEach(() => {
  expect(world.slack.refusals.splice(0)).toEqual([]);
});

/** Of docs/performance.md. */
const MAX_STATEMENTS_OF_DELIVERY = 15;

/** The messages that wait for a worker. */
const waiting = async (): Promise<readonly string[]> => {
  const pending = "select id from outbox_message where state = 'pending' order by id";
  return (await world.api.db.owner.query<{ id: string }>(pending)).rows.map(({ id }) => id);
};

async function leftToWorkers<Result>(work: () => Promise<Result>): Promise<Result> {
  const goOn = leaveToWorkers(world.api);
  try {
    return await work();
  } finally {
    goOn();
  }
}

const press = (request: { id: string }, action: string, user: string) =>
  world.slack.press(world.message(request), `countersign.${action}`, user);

const shown = (request: { id: string }): string => JSON.stringify(world.message(request).blocks);

describe('approvals in Slack', () => {
  it('are asked for in the channel of the environment, given by two people, and shown in the same message', async () => {
    const request = await world.asked();
    await world.settle();
    const message = world.message(request);
    expect(message.text).toMatch(/^Approval asked for: execute_rollout_prod on 47 targets, .* in production/);
    expect(await press(request, 'approve', 'UADA')).toMatchObject({ status: 200, body: '' });
    await world.settle();
    expect(shown(request)).toContain('(1 so far)');
    expect((await world.request(request.id)).quorum.filled).toHaveLength(1);
    await press(request, 'approve', 'UBEN');
    await world.settle();
    expect((await world.request(request.id)).state).toBe('approved');
    expect(message.text).toContain('Approved: ');
    expect(shown(request)).not.toContain('countersign.approve');
    const all = world.slack.in(CHANNELS.production).filter(({ blocks }) => JSON.stringify(blocks).includes(request.id));
    expect(all).toHaveLength(1);
    expect(message.edits).toBeGreaterThan(0);
  });

  it('are in Slack without a worker', async () => {
    await world.settle();
    const request = await world.asked();
    await world.sent();
    expect(world.message(request).text).toContain('Approval asked for');
    expect(await waiting()).toEqual([]);
  });

  it('cost few statements of a worker until they stand in Slack, and two transactions', async () => {
    const { api, tenant } = world;
    await world.settle();
    const request = await leftToWorkers(() => world.asked());
    const [id = ''] = await waiting();
    const { statements, transactions } = await countedStatements(() =>
      api.installation.delivery.deliverOutbox.execute(tenant.id, id),
    );
    expect(world.message(request).text).toContain('Approval asked for');
    expect(statements.slice(MAX_STATEMENTS_OF_DELIVERY)).toEqual([]);
    expect(transactions).toBe(2);
  });

  it('show the same whether a worker sends them or the process that was asked', async () => {
    const shownOf = (request: { id: string }): string =>
      shown(request)
        .replaceAll(request.id, 'ID')
        .replaceAll(/"(value|timestamp)":("[^"]*"|\d+)|web-[\w.]+|To be decided until [^<]*/g, '');
    const atOnce = await world.asked('manual', rolloutPlan('web-once'));
    await world.settle();
    const later = await leftToWorkers(() => world.asked('manual', rolloutPlan('web-later')));
    expect(await waiting()).toHaveLength(1);
    await world.settle();
    expect(shownOf(later)).toBe(shownOf(atOnce));
  });

  it('are sent by a worker if Slack refuses them at first, once', async () => {
    world.slack.fail('chat.postMessage', { kind: 'rate_limited', retryAfterSeconds: 7 });
    const request = await world.asked();
    await world.sent();
    expect(await waiting()).toHaveLength(1);
    await world.settle();
    const all = world.slack.in(CHANNELS.production).filter(({ blocks }) => JSON.stringify(blocks).includes(request.id));
    expect(all).toHaveLength(1);
  });

  it('show a decision from before their first message', async () => {
    const { api, tenant } = world;
    const request = await leftToWorkers(() => world.asked());
    const [id = ''] = await waiting();
    const comment = 'Not on a Friday.';
    const review = { verdict: 'reject', subject_digest: request.subject.digest, comment };
    expectStatus(await api.http(world.ada.token).post(`/v1/approval-requests/${request.id}/reviews`, review), 201);
    await api.installation.delivery.deliverOutbox.execute(tenant.id, id);
    expect(textOf(world.message(request).blocks)).toContain(comment);
    await world.settle();
  });

  it('show the phases, the steps as one group, the prediction and the demands of policy', async () => {
    const request = await world.asked();
    await world.settle();
    const text = textOf(world.message(request).blocks);
    expect(text).toContain('Policy asks for 2 of SRELead (0 so far).');
    expect(text).toContain('Simulation predicts 47 assets affected');
    expect(text).toMatch(/Phase 1: canary\n/);
    expect(text).toContain('CRITICAL RISK in production');
    expect(text).toMatch(/web-\d+ … web-\d+ \(\d+\)/);
    expect(text).toContain('not verified. Trust the steps, not this text:');
    expect(text).toContain('To be decided until ');
  });

  it('are rejected with a comment from a modal, and the requester is told', async () => {
    await world.link(world.owner, 'UOWN');
    const request = await world.asked();
    await world.settle();
    await press(request, 'reject', 'UADA');
    await world.settle();
    const [modal] = world.slack.modals;
    if (modal === undefined) throw new Error('no modal was opened');
    expect(await world.slack.submitModal(modal, 'not on a Friday')).toMatchObject({ status: 200, body: '' });
    await world.settle();
    expect(await world.request(request.id)).toMatchObject({ state: 'denied' });
    expect(textOf(world.message(request).blocks)).toContain('rejected: not on a Friday');
    const told = world.slack.in(directOf('UOWN')).at(-1);
    expect(textOf(told?.blocks ?? [])).toContain('Rejected: execute_rollout_prod');
  });

  it('are not rejected with blanks for a reason, which Slack takes', async () => {
    const request = await world.asked();
    await world.settle();
    await press(request, 'reject', 'UADA');
    await world.settle();
    const modal = world.slack.modals.at(-1);
    if (modal === undefined) throw new Error('no modal was opened');
    await world.slack.submitModal(modal, ' \n ');
    await world.settle();
    expect(await world.request(request.id)).toMatchObject({ state: 'open' });
    expect(world.slack.ephemerals.at(-1)).toMatchObject({ user: 'UADA' });
    expect(textOf(world.slack.ephemerals.at(-1)?.blocks ?? [])).toContain('Say in a few words what is wrong');
  });

  it('tell the user who clicked alone why they may not review', async () => {
    const request = await world.asked();
    await world.settle();
    const before = world.slack.ephemerals.length;
    // The owner answers for the agent that asked.
    await press(request, 'approve', 'UOWN');
    await world.settle();
    const refused = world.slack.ephemerals.slice(before);
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatchObject({ user: 'UOWN', channel: CHANNELS.production });
    expect(textOf(refused[0]?.blocks ?? [])).toMatch(/answers for an agent behind the request/);
    expect(await world.reviews(request)).toBe(0);
  });

  it('count as fast only if the message itself was just posted', async () => {
    const request = await world.asked();
    await world.settle();
    await press(request, 'approve', 'UADA');
    await world.settle();
    const counts = async (secondsBefore: number) => {
      await world.api.db.owner.query(
        `update slack_message set posted_at = review.created_at - $2 * interval '1 second'
           from review where review.request_id = $1 and subject = 'request:' || $1::text`,
        [request.id, secondsBefore],
      );
      const found = expectStatus(await world.admin.get('/v1/approval-statistics?by=agent'), 200).body as {
        items: { approvals_in_slack: number; approved_in_slack_within_five_seconds_of_message: number }[];
      };
      return found.items[0];
    };
    const [soon, late] = [await counts(4), await counts(6)];
    expect(soon?.approvals_in_slack).toBeGreaterThan(0);
    expect(late?.approvals_in_slack).toBe(soon?.approvals_in_slack);
    const fast = (of: typeof soon): number => of?.approved_in_slack_within_five_seconds_of_message ?? -1;
    expect(fast(soon) - fast(late)).toBe(1);
  });

  it('start the run if the last approval says so, and show the run in the thread', async () => {
    const request = await world.asked();
    await world.settle();
    await press(request, 'approve', 'UADA');
    await world.settle();
    await press(request, 'approve_and_start', 'UBEN');
    await world.settle();
    expect((await world.request(request.id)).state).toBe('consumed');
    const runs = expectStatus(await world.agent.get(`/v1/runs?plan_id=${request.subject.id}`), 200).body as {
      items: { id: string }[];
    };
    expect(runs.items).toHaveLength(1);
  });

  it('go to linked people on duty, and to the channel again once there are none', async () => {
    const routes = { channels: { production: CHANNELS.production } };
    expectStatus(await world.admin.put('/v1/slack/routes', { ...routes, on_duty: [world.ada.id] }), 200);
    const request = await world.asked();
    await world.settle();
    expect(() => world.message(request)).toThrow('there is no message');
    const direct = world.message(request, directOf('UADA'));
    await world.slack.press(direct, 'countersign.approve', 'UADA');
    await world.settle();
    expect(await world.reviews(request)).toBe(1);
    expectStatus(await world.admin.put('/v1/slack/routes', { ...routes, on_duty: [] }), 200);
  });

  it('offer a link to an unknown user, which only a signed-in person can confirm, once', async () => {
    const request = await world.asked();
    await world.settle();
    const before = world.slack.ephemerals.length;
    await press(request, 'approve', 'UEVE');
    await world.settle();
    const offered = world.slack.ephemerals.slice(before);
    expect(offered).toMatchObject([{ user: 'UEVE' }]);
    expect(await world.reviews(request)).toBe(0);
    const code = codeIn(offered);
    const eve = await world.api.person(world.tenant, 'SRELead');
    const preview = await world.api.http(eve.token).post('/v1/slack/link/preview', { code });
    expect(expectStatus(preview, 200).body).toEqual({
      team_name: 'Test workspace',
      user_id: 'UEVE',
      name: 'Eve (eve)',
    });
    expectStatus(await world.api.http(eve.token).post('/v1/slack/link', { code }), 201);
    expect((await world.api.http(eve.token).post('/v1/slack/link', { code })).body.code).toBe('slack.link_code');
    const { items } = expectStatus(await world.api.http(eve.token).get('/v1/slack/links'), 200).body as {
      items: { credential_id: string }[];
    };
    // Revoking the link's credential ends it at once.
    expectStatus(await world.api.http(eve.token).delete(`/v1/tokens/${items[0]?.credential_id ?? ''}`), 204);
    const later = world.slack.ephemerals.length;
    await press(request, 'approve', 'UEVE');
    await world.settle();
    expect(textOf(world.slack.ephemerals.slice(later)[0]?.blocks ?? [])).toContain('does not know who you are');
    expect(await world.reviews(request)).toBe(0);
  });

  it('make no link with a credential that ends during the confirmation', async () => {
    const before = world.slack.ephemerals.length;
    await world.slack.command('link', 'ULATE', CHANNELS.production);
    const code = codeIn(world.slack.ephemerals.slice(before));
    const mia = await world.api.person(world.tenant, 'SRELead');
    const ending = await world.api.db.owner.connect();
    try {
      await ending.query('begin');
      await ending.query('select from person where id = $1 for update', [mia.id]);
      const late = world.api.http(mia.token).post('/v1/slack/link', { code });
      await somebodyWaits(world.api.db.owner);
      await ending.query('update credential set revoked_at = clock_timestamp() where person_id = $1', [mia.id]);
      await ending.query('commit');
      const { status, body } = await late;
      expect([status, body.code]).toEqual([401, 'credential.ended']);
    } finally {
      ending.release();
    }
  });

  it('make no link for a token that may only read', async () => {
    const narrow = await world.api.token(world.ada, 'read');
    const refused = await world.api.http(narrow).post('/v1/slack/link', { code: 'x' });
    expect(refused.body.code).toBe('credential.scope_missing');
  });
});

describe('a test of the connection', () => {
  const test = () => world.admin.post('/v1/slack/test');

  it('names the workspace of the token and each channel, and posts nothing', async () => {
    const channels = { production: CHANNELS.production, '': 'C0NOWHERE' };
    expectStatus(await world.admin.put('/v1/slack/routes', { channels, on_duty: [] }), 200);
    const before = world.slack.messages.length;
    const { body } = expectStatus(await test(), 200);
    expect(body).toMatchObject({ team_name: 'Test workspace', problem: null });
    expect(new Set(body.channels as unknown[])).toEqual(
      new Set([
        { environment: 'production', channel: CHANNELS.production, name: 'production', problem: null },
        {
          environment: '',
          channel: 'C0NOWHERE',
          name: null,
          problem: 'Slack knows no such channel, or it is private and the bot is not in it.',
        },
      ]),
    );
    expect(world.slack.messages).toHaveLength(before);
    expect(world.slack.refusals.splice(0)).toMatchObject([
      { method: 'conversations.info', error: 'channel_not_found' },
    ]);
  });

  it('takes an installation', async () => {
    expectStatus(await world.admin.delete('/v1/slack/installation'), 204);
    const answer = await test();
    expect([answer.status, answer.body.code]).toEqual([409, 'slack.not_installed']);
  });
});
