import { createECDH, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { openDatabase } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import type { ApprovalRequestId } from '#lib/kernel';
import { expectStatus } from '../support/api.js';
import { localMail, type LocalMail } from '../support/local-mail.js';
import { CHANNELS, directOf } from '../support/local-slack.js';
import { leaveToWorkers, slackWorld, type SlackWorld } from '../support/slack-world.js';
import { until } from '../support/until.js';

let world: SlackWorld;
let mail: LocalMail;

beforeAll(async () => {
  mail = await localMail();
  world = await slackWorld({ mail: mail.config });
  leaveToWorkers(world.api);
}, 120_000);
afterAll(async () => {
  await world.close();
  await mail.close();
});
afterEach(() => {
  mail.forget();
});

const inChannel = (request: { id: string }) =>
  world.slack.in(CHANNELS.production).filter(({ blocks }) => JSON.stringify(blocks).includes(request.id));

/** The undelivered messages for a destination, with their errors. */
const open = async (
  destination: string,
): Promise<readonly { id: string; state: string; attempts: number; last_error: string | null }[]> =>
  (
    await world.api.db.owner.query<{ id: string; state: string; attempts: number; last_error: string | null }>(
      `select id, state, attempts, last_error from outbox_message where destination = $1 and state <> 'delivered'`,
      [destination],
    )
  ).rows;

/** Delivers every pending message once, before its time. */
async function once(order: 'as it comes' | 'last first' = 'as it comes'): Promise<void> {
  const { rows } = await world.api.db.owner.query<{ tenant_id: string; id: string }>(
    `update outbox_message set next_attempt_at = clock_timestamp()
      where state = 'pending' returning tenant_id, id`,
  );
  rows.sort((one, other) => one.id.localeCompare(other.id));
  if (order === 'last first') rows.reverse();
  for (const { tenant_id, id } of rows)
    await world.api.installation.delivery.deliverOutbox.execute(tenant_id as never, id);
}

describe('delivery to Slack', () => {
  it('waits as long as Slack asks, and counts no failure', async () => {
    const request = await world.asked();
    world.slack.fail('chat.postMessage', { kind: 'rate_limited', retryAfterSeconds: 7 });
    const { rows: clock } = await world.api.db.owner.query<{ at: string }>('select clock_timestamp()::text as at');
    await once();
    await once();
    const [waiting] = await open(`slack:${CHANNELS.production}:subject`);
    expect(waiting).toMatchObject({ state: 'pending', attempts: 0 });
    const { rows } = await world.api.db.owner.query<{ seconds: number }>(
      'select extract(epoch from free_at - $2::timestamptz)::float as seconds from slack_pace where channel_id = $1',
      [CHANNELS.production, clock[0]?.at],
    );
    expect(rows[0]?.seconds).toBeGreaterThanOrEqual(7);
    await world.settle();
    expect(inChannel(request)).toHaveLength(1);
  });

  it('never doubles a message if the answer to its post is lost: its metadata is found', async () => {
    const request = await world.asked();
    world.slack.fail('chat.postMessage', { kind: 'drop_after' });
    // Slack takes one message a second.
    await until(async () => {
      await world.api.db.owner.query("update slack_pace set free_at = '-infinity', new_until = '-infinity'");
      await once();
      return inChannel(request).length > 0;
    });
    expect(inChannel(request)).toHaveLength(1);
    const [failed] = await open(`slack:${CHANNELS.production}:subject`);
    expect(failed).toMatchObject({ state: 'pending', last_error: 'Slack: unreachable' });
    await world.settle();
    expect(inChannel(request)).toHaveLength(1);
    expect(await open(`slack:${CHANNELS.production}:subject`)).toEqual([]);
  });

  it('never doubles a message of a worker that died after posting it', async () => {
    const request = await world.asked();
    await world.settle();
    await world.api.db.owner.query(
      `update slack_message set ts = null, slack_channel_id = null, posted_at = null, rendered_digest = null
        where subject = $1`,
      [`request:${request.id}`],
    );
    await world.slack.press(world.message(request), 'countersign.approve', 'UADA');
    await world.settle();
    expect(inChannel(request)).toHaveLength(1);
    expect(JSON.stringify(inChannel(request)[0]?.blocks)).toContain('(1 so far)');
  });

  it('posts a deleted message again', async () => {
    const request = await world.asked();
    await world.settle();
    const [first] = inChannel(request);
    await world.slack.press(world.message(request), 'countersign.approve', 'UADA');
    world.slack.delete(first?.ts ?? '');
    await world.settle();
    expect(inChannel(request)).toHaveLength(1);
    expect(inChannel(request)[0]?.ts).not.toBe(first?.ts);
  });

  it.each([
    {
      which: 'that names no request',
      requestId: 'unreadable',
      before: [],
      error: expect.stringMatching(
        /^FailureError: record\.malformed: A stored record \(outbox_message of [0-9a-f-]{36}\) cannot be read\..* at \/payload\/request_id\.$/,
      ) as string,
    },
    {
      which: 'that has a message for its destination already',
      requestId: null,
      before: [`slack:${CHANNELS.production}:subject`],
      error: 'SqlError: duplicate key value violates unique constraint "outbox_message_destination_key"',
    },
  ])('gives up a message $which, after its last attempt', async ({ requestId, before, error }) => {
    const [id, { owner }] = [v7(), world.api.db];
    const payload = { request_id: requestId ?? (await world.asked()).id, event: 'opened' };
    for (const destination of [null, ...before])
      await owner.query(
        `insert into outbox_message (tenant_id, id, topic, payload, state, next_attempt_at, created_at, cause_id, destination)
         values ($1, $2, 'approval_request.changed', $3, 'pending', clock_timestamp(), clock_timestamp(), $4, $5)`,
        [world.tenant.id, ...(destination === null ? [id, payload, null] : [v7(), payload, id]), destination],
      );
    const standing = async () => {
      const found = 'select state, attempts, last_error from outbox_message where id = $1';
      return (await owner.query<{ state: string; attempts: number; last_error: string | null }>(found, [id])).rows[0];
    };
    await once();
    expect(await standing()).toEqual({ state: 'pending', attempts: 1, last_error: error });
    for (let attempt = 2; attempt <= 10; attempt += 1) await once();
    expect(await standing()).toEqual({ state: 'failed', attempts: 10, last_error: error });
    await world.settle();
  });

  it('sends one message a second to a channel, over all workers', async () => {
    const requests = [await world.asked(), await world.asked(), await world.asked()];
    const [before, began] = [world.slack.calls.length, performance.now()];
    await once();
    await Promise.all([once(), once()]);
    const seconds = (performance.now() - began) / 1_000;
    const posts = world.slack.calls.slice(before).filter(({ method }) => method === 'chat.postMessage');
    expect(posts.length).toBeLessThanOrEqual(1 + Math.ceil(seconds));
    await world.settle();
    for (const request of requests) expect(inChannel(request)).toHaveLength(1);
  });

  it('edits a message once if it changed several times before its turn, and shows the last', async () => {
    const request = await world.asked();
    await world.settle();
    const before = world.message(request).edits;
    await world.api.db.owner.query(
      `insert into outbox_message (tenant_id, id, topic, payload, state, next_attempt_at, created_at, cause_id, destination)
       select tenant_id, gen_random_uuid(), topic, payload, 'pending', clock_timestamp(), clock_timestamp(), id, $2
         from outbox_message, generate_series(1, 5) where payload ->> 'request_id' = $1 and destination is null
           and not exists (select from outbox_message spread where spread.cause_id = outbox_message.id and spread.destination = $2)
       on conflict do nothing`,
      [request.id, `slack:${CHANNELS.production}:subject`],
    );
    await world.slack.press(world.message(request), 'countersign.approve', 'UADA');
    await world.settle();
    expect(world.message(request).edits).toBe(before + 1);
    expect(JSON.stringify(world.message(request).blocks)).toContain('(1 so far)');
  });

  it('shows a new request in the next two turns, though a busy channel has replies and edits waiting', async () => {
    const busy = [await world.asked(), await world.asked(), await world.asked()];
    await world.settle();
    for (const { id } of busy) {
      await world.api.db.owner.query(
        `insert into outbox_message (tenant_id, id, topic, payload, state, next_attempt_at, created_at)
         select $1, gen_random_uuid(), topic, payload, 'pending', clock_timestamp(), clock_timestamp()
           from generate_series(1, 8), (values
             ('approval_request.reminder', jsonb_build_object('request_id', $2::text, 'which', 'half_time')),
             ('approval_request.changed', jsonb_build_object('request_id', $2::text, 'event', 'reviewed'))) message (topic, payload)`,
        [world.tenant.id, id],
      );
    }
    const threads = (): number =>
      busy.reduce((sum, request) => sum + world.slack.thread(inChannel(request)[0]?.ts ?? '').length, 0);
    const ignore = (): void => undefined;
    const database = await openDatabase(
      { kind: 'external', url: world.api.db.url },
      { applicationName: 'countersign-test-worker', entities: ENTITIES, poolSize: 1, onError: ignore },
    );
    const outbox = world.api.installation.delivery.deliverOutbox;
    database.jobWorker.register('outbox.deliver', (of, id) => outbox.execute(of, id), { atOnce: 16 });
    database.jobWorker.start({ lookMs: 1_000, onFailure: ignore });
    try {
      await until(() => threads() >= 2);
      // A turn takes a second, and the look of a busy machine may come late. One request of three is enough.
      let overtakenBy = Infinity;
      for (let each = 0; each < 3 && overtakenBy > 1; each += 1) {
        const request = await world.asked();
        const before = threads();
        await until(() => inChannel(request).length === 1);
        overtakenBy = threads() - before;
      }
      expect(overtakenBy).toBeLessThanOrEqual(1);
      expect(threads()).toBeLessThan(24);
    } finally {
      await database.close();
      // The other replies would take a second each.
      await world.api.db.owner.query(
        "update outbox_message set state = 'delivered', delivered_at = clock_timestamp() where state = 'pending'",
      );
      Object.assign(mail.mails, { length: 0 });
    }
  }, 60_000);

  it('tells the events of a run in their order, even if workers take them in another', async () => {
    await world.link(world.owner, 'UOWN');
    const request = await world.asked('on_approval');
    for (const { token } of [world.ada, world.ben]) {
      const reviewer = world.api.http(token);
      const review = { verdict: 'approve', subject_digest: request.subject.digest, comment: '' };
      expectStatus(await reviewer.post(`/v1/approval-requests/${request.id}/reviews`, review), 201);
    }
    await world.settle();
    const { items } = expectStatus(await world.agent.get(`/v1/runs?plan_id=${request.subject.id}`), 200).body as {
      items: { id: string }[];
    };
    const events = ['run.paused', 'run.rolling_back', 'run.rolled_back'];
    for (const event of events) {
      await world.api.db.owner.query(
        `insert into outbox_message (tenant_id, id, topic, payload, state, next_attempt_at, created_at)
         values ($1, $2, 'run.changed', $3, 'pending', clock_timestamp(), clock_timestamp())`,
        [world.tenant.id, v7(), JSON.stringify({ run_id: items[0]?.id, event })],
      );
    }
    const below = (ts = ''): string[] =>
      world.slack.thread(ts).map(({ text }) => text.replace(/^The run (is |was )?/, ''));
    const told = () => below(inChannel(request)[0]?.ts);
    const standing = world.slack.in(directOf('UOWN')).at(-1);
    const before = told().length;
    // The last event is fanned out first, and its messages are tried first.
    await once('last first');
    await until(async () => {
      await world.api.db.owner.query("update slack_pace set free_at = '-infinity', new_until = '-infinity'");
      await once();
      return told().length >= before + 3 && below(standing?.ts).length >= 3;
    });
    expect(told().slice(before)).toEqual(['paused.', 'being rolled back.', 'rolled back.']);
    // The requester has one message with a current headline, and the events in its thread.
    expect(below(standing?.ts)).toEqual(['paused.', 'being rolled back.', 'rolled back.']);
  });

  it('gives a message up that cannot be delivered, and sends it again for an admin', async () => {
    const routes = { on_duty: [] };
    expectStatus(await world.admin.put('/v1/slack/routes', { ...routes, channels: { production: 'C0GONE' } }), 200);
    const request = await world.asked();
    await world.settle();
    const listed = expectStatus(await world.admin.get('/v1/outbox?state=failed'), 200).body as {
      items: { id: string; destination: string; last_error: string }[];
    };
    expect(listed.items[0]).toMatchObject({
      destination: 'slack:C0GONE:subject',
      last_error: 'Slack: channel_not_found',
    });
    const id = listed.items[0]?.id ?? '';
    Object.assign(world.slack.workspace.channels, { C0GONE: 'found-again' });
    expectStatus(await world.admin.post(`/v1/outbox/${id}/retry`), 200);
    await world.settle();
    expect(world.message(request, 'C0GONE').edits).toBe(0);
    expect((await world.admin.post(`/v1/outbox/${id}/retry`)).body.code).toBe('outbox.not_failed');
    expect((await world.agent.get('/v1/outbox')).status).toBe(403);
    world.slack.refusals.length = 0;
    const back = { ...routes, channels: { production: CHANNELS.production } };
    expectStatus(await world.admin.put('/v1/slack/routes', back), 200);
  });

  it('goes on with other messages while one of them fails for a while', async () => {
    world.slack.fail('chat.postMessage', { kind: 'error', error: 'internal_error' });
    const request = await world.asked();
    await once();
    expect(await open(`slack:${CHANNELS.production}:subject`)).toMatchObject([{ last_error: 'Slack: internal_error' }]);
    await world.settle();
    expect(inChannel(request)).toHaveLength(1);
    world.slack.refusals.length = 0;
  });
});

describe('mail', () => {
  it('asks possible reviewers, with a link and without buttons', async () => {
    const request = await world.asked();
    await world.settle();
    expect(mail.mails.map(({ to }) => to).sort()).toEqual([world.ada.email, world.ben.email].sort());
    const [first] = mail.mails;
    expect(first?.text).toContain('Subject: Approval asked for: execute_rollout_prod');
    // A mail folds long lines.
    expect(first?.text.replaceAll('=\r\n', '')).toContain(`/requests/${request.id}`);
    expect(first?.text).toContain('Auto-Submitted: auto-generated');
    expect(first?.text).not.toMatch(/Approve and start|review=approve/);
  });

  it('tells the requester the result', async () => {
    const request = await world.asked();
    await world.settle();
    mail.forget();
    const body = { verdict: 'reject', subject_digest: request.subject.digest, comment: 'not today' };
    expectStatus(await world.api.http(world.ada.token).post(`/v1/approval-requests/${request.id}/reviews`, body), 201);
    await world.settle();
    expect(mail.mails.map(({ to }) => to)).toEqual([world.owner.email]);
    expect(mail.mails[0]?.text).toContain('not today');
  });

  it('is tried again if the server is busy', async () => {
    mail.refuseNext(1);
    await world.asked();
    await world.settle();
    expect(mail.mails).toHaveLength(2);
  });
});

describe('Web Push', () => {
  const browser = createECDH('prime256v1');

  const keys = () => ({
    p256dh: browser.generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  });

  it('takes no address that the rules for outbound addresses refuse', async () => {
    for (const endpoint of [
      'http://push.example/x',
      'https://127.0.0.1/x',
      'https://localhost/x',
      'https://169.254.169.254/',
    ]) {
      const answer = await world.api.http(world.ada.token).post('/v1/push-subscriptions', { endpoint, keys: keys() });
      expect([endpoint, answer.status, answer.body.code]).toEqual([endpoint, 422, 'push.endpoint']);
    }
  });

  it('has one key a tenant, and shows no private one', async () => {
    const [one, two] = [
      await world.api.http(world.ada.token).get('/v1/push-subscriptions/key'),
      await world.api.http(world.ben.token).get('/v1/push-subscriptions/key'),
    ];
    expect(one.body.public_key).toMatch(/^[A-Za-z0-9_-]{87}$/);
    expect(one.text).toBe(two.text);
  });

  it('keeps a subscription, and ends it for its own person alone', async () => {
    const ada = world.api.http(world.ada.token);
    const endpoint = 'https://push.example.com/send/abc';
    const made = expectStatus(await ada.post('/v1/push-subscriptions', { endpoint, keys: keys() }), 201).body as {
      id: string;
    };
    expect(expectStatus(await ada.get('/v1/push-subscriptions'), 200).body.items).toMatchObject([
      { id: made.id, host: 'push.example.com' },
    ]);
    expect((await world.api.http(world.ben.token).delete(`/v1/push-subscriptions/${made.id}`)).status).toBe(404);
    expectStatus(await ada.delete(`/v1/push-subscriptions/${made.id}`), 204);
    expect(expectStatus(await ada.get('/v1/push-subscriptions'), 200).body.items).toEqual([]);
  });
});

describe('an undecided request', () => {
  it('is escalated to the roles of the autonomy document: by mail, and in Slack for linked people', async () => {
    const further = await world.api.person(world.tenant, 'SecurityReviewer');
    await world.link(further, 'UEVE');
    const request = await world.asked();
    await world.settle();
    expect(mail.mails.map(({ to }) => to)).not.toContain(further.email);
    await world.api.db.owner.query(
      `insert into approval_reminder (tenant_id, request_id, which, due_at, roles)
       values ($1, $2, 'escalated', clock_timestamp(), '{SecurityReviewer}')`,
      [world.tenant.id, request.id],
    );
    await world.api.installation.approval.sendReminders.execute(world.tenant.id, request.id as ApprovalRequestId);
    await world.settle();
    expect(mail.mails.map(({ to }) => to)).toContain(further.email);
    const [told] = world.slack.in(directOf('UEVE'));
    expect(JSON.stringify(told?.blocks)).toContain('Nobody has decided, so it is escalated');
  });
});

describe('notification preferences', () => {
  const all = { requests: true, reminders: true, comments: true };
  const everything = { email: all, push: all };
  const path = '/v1/notification-preferences';

  it('are everything by default, and belong to each person', async () => {
    const [ada, ben] = [world.api.http(world.ada.token), world.api.http(world.ben.token)];
    expect(expectStatus(await ada.get(path), 200).body).toEqual(everything);
    const fewer = { email: { ...all, requests: false }, push: { ...all, reminders: false } };
    expect(expectStatus(await ada.put(path, fewer), 200).body).toEqual(fewer);
    expect(expectStatus(await ada.get(path), 200).body).toEqual(fewer);
    expect(expectStatus(await ben.get(path), 200).body).toEqual(everything);
    expect((await ada.put(path, { ...fewer, slack: true })).status).toBe(422);

    for (const person of [ada, ben]) {
      const endpoint = `https://push.example.com/send/${person === ada ? 'ada' : 'ben'}`;
      const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
      expectStatus(await person.post('/v1/push-subscriptions', { endpoint, keys }), 201);
    }
    const request = await world.asked();
    await world.settle();
    const told = mail.mails.filter(({ text }) => text.includes(request.id.slice(-8)) || text.includes(request.id));
    expect(told.map(({ to }) => to)).toContain(world.ben.email);
    expect(mail.mails.map(({ to }) => to)).not.toContain(world.ada.email);
    const { rows } = await world.api.db.owner.query<{ person_id: string }>(
      `select subscription.person_id from outbox_message message
         join push_subscription subscription on message.destination = 'push:' || subscription.id || ':subject'
        where message.payload ->> 'request_id' = $1`,
      [request.id],
    );
    expect(rows.map(({ person_id }) => person_id).sort()).toEqual([world.ada.id, world.ben.id].sort());
    expectStatus(await ada.put(path, everything), 200);
  });
});

describe('an absent person', () => {
  it('has their delegate asked, until they are back', async () => {
    const [away, deputy, other] = [
      await world.api.person(world.tenant, 'SRELead'),
      await world.api.person(world.tenant, 'DevOpsEngineer'),
      await world.api.person(world.tenant, 'DevOpsEngineer'),
    ];
    const http = world.api.http(away.token);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const begun = expectStatus(await http.post('/v1/absences', { delegate_id: deputy.id, until }), 201).body;
    await world.asked();
    await world.settle();
    expect(mail.mails.map(({ to }) => to)).toContain(deputy.email);
    expect(mail.mails.map(({ to }) => to)).not.toContain(other.email);
    expectStatus(await http.delete(`/v1/absences/${String(begun.id)}`), 204);
    mail.forget();
    await world.asked();
    await world.settle();
    expect(mail.mails.map(({ to }) => to)).toContain(away.email);
    expect(mail.mails.map(({ to }) => to)).not.toContain(deputy.email);
  });
});
