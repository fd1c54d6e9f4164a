import type { ApprovalRequestDetailView, CommentView } from '#lib/api-schemas';
import { expectStatus, type HttpAs } from '../support/api.js';
import { localMail, type LocalMail } from '../support/local-mail.js';
import { directOf } from '../support/local-slack.js';
import { slackWorld, taskOf, textOf, type SlackWorld } from '../support/slack-world.js';
import { rolloutPlan } from '../support/stages.js';
import { verifiedBy } from '../support/verified-by.js';

let mail: LocalMail;
let world: SlackWorld;
let ada: HttpAs;
let ben: HttpAs;

beforeAll(async () => {
  mail = await localMail();
  world = await slackWorld({ mail: mail.config });
  ada = world.api.http(world.ada.token);
  ben = world.api.http(world.ben.token);
}, 120_000);
afterAll(async () => {
  await world.close();
  await mail.close();
});
afterEach(() => {
  expect(world.slack.refusals.splice(0)).toEqual([]);
});

interface Request {
  readonly id: string;
  readonly subject: { readonly id: string };
}

const on = ({ id }: { readonly id: string }): string => `/v1/approval-requests/${id}/comments`;
const say = async (as: HttpAs, request: Request, body: string): Promise<CommentView> =>
  expectStatus(await as.post(on(request), { body }), 201).body as CommentView;
const unread = async (as: HttpAs): Promise<readonly string[]> =>
  (expectStatus(await as.get('/v1/unread-comments'), 200).body.items as CommentView[]).map(({ body }) => body);
const mailed = async (topic = 'comment.added'): Promise<readonly string[]> => {
  const { rows } = await world.api.db.owner.query<{ destination: string }>(
    "select destination from outbox_message where topic = $1 and destination like 'email:%' order by destination",
    [topic],
  );
  return rows.map(({ destination }) => destination.split(':')[1] ?? '');
};

describe('a conversation on a request', () => {
  it('reaches all who asked, reviewed, claimed, spoke before or are mentioned, and never the author of a comment', async () => {
    const request = await world.asked();
    await say(ada, request, 'Why this image?');
    expect(await unread(world.api.http(world.owner.token))).toEqual(['Why this image?']);
    expect(await unread(ada)).toEqual([]);
    await say(world.agent, request, 'It fixes the drift.');
    await say(ben, request, `Fine. @${world.tenant.admin.email}, look, please.`);
    expect(await unread(ada)).toEqual([expect.stringContaining('Fine.'), 'It fixes the drift.']);
    expect(await unread(ben)).toEqual([]);
    expect(await unread(world.admin)).toHaveLength(1);
    await world.settle();
    const people = [world.owner.id, world.ada.id, world.tenant.admin.id];
    expect(new Set(await mailed())).toEqual(new Set(people));
    // The agent's words were mailed to no person.
    expect(await mailed()).toHaveLength(4);
    expectStatus(await ada.post(`${on(request)}/read`), 204);
    expect(await unread(ada)).toEqual([]);
    const page = expectStatus(await ben.get(`${on(request)}?limit=2`), 200).body as {
      items: CommentView[];
      next_cursor: string;
    };
    expect(page.items.map(({ body }) => body)).toEqual(['Why this image?', 'It fixes the drift.']);
    const rest = expectStatus(await ben.get(`${on(request)}?cursor=${page.next_cursor}`), 200).body;
    expect(rest).toMatchObject({ items: [{ author: { kind: 'person', id: world.ben.id } }], next_cursor: null });
  });

  it('sends no mail to people who switched it off, and waits in their inbox all the same', async () => {
    const owner = world.api.http(world.owner.token);
    const before = (await mailed()).length;
    const told = { requests: true, reminders: true };
    const path = '/v1/notification-preferences';
    expectStatus(await owner.put(path, { email: { ...told, comments: false }, push: told }), 200);
    const request = await world.asked();
    await say(ada, request, 'Only in the inbox.');
    await world.settle();
    expect(await mailed()).toHaveLength(before);
    expect(await unread(owner)).toContain('Only in the inbox.');
    expectStatus(await owner.put(path, { email: told, push: told }), 200);
  });

  it('is part of the evidence, and told by the verifier', async () => {
    const request = await world.asked();
    await say(ada, request, 'Why this image?\nAnd why now?');
    await say(world.agent, request, 'Trust me.');
    const pack = expectStatus(await world.admin.post(`/v1/plans/${request.subject.id}/evidence`, {}), 200).text;
    const report = await verifiedBy(world.admin, pack);
    expect(report.failure).toBeNull();
    const lines = report.passed.filter((line) => line.includes('Why this') || line.includes('Trust me'));
    expect(lines).toEqual([
      expect.stringMatching(/ commented at .*: "Why this image\?\\nAnd why now\?"$/),
      expect.stringMatching(/, an agent, wrote at .*, and nobody verified it: "Trust me\."$/),
    ]);
    const forged = await verifiedBy(world.admin, pack.replaceAll('Why this image?', 'Fine, I approve'));
    expect(forged.failure).not.toBeNull();
  });
});

const detail = async (as: HttpAs, id: string): Promise<ApprovalRequestDetailView> =>
  expectStatus(await as.get(`/v1/approval-requests/${id}`), 200).body as ApprovalRequestDetailView;

describe('a request that was sent back', () => {
  it('stays visible on the next revision, and both lead to each other', async () => {
    const first = await world.asked();
    const comment = 'Please use web-2026.11, and wait only 60 s.';
    const sentBack = await ada.post(`/v1/approval-requests/${first.id}/reviews`, {
      verdict: 'request_changes',
      comment,
      subject_digest: first.subject.digest,
    });
    expectStatus(sentBack, 201);
    expectStatus(await world.agent.post(on(first), { body: 'Do you mean minutes?' }), 201);
    const second = await world.askedAgain(first, rolloutPlan('web-2026.11'));
    const [before, after] = [await detail(ben, first.id), await detail(ben, second.id)];
    expect(before).toMatchObject({
      changes_asked: [],
      replaces: null,
      replaced_by: { request_id: second.id, revision: 2, state: 'open' },
    });
    expect(after).toMatchObject({
      changes_asked: [{ request_id: first.id, revision: 1, person: { id: world.ada.id }, comment }],
      replaces: { request_id: first.id, revision: 1, state: 'changes_requested' },
      replaced_by: null,
    });
    const ofTask = await world.agent.get(`/v1/tasks/${taskOf(first)}/changes-asked`);
    expect(expectStatus(ofTask, 200).body.items).toMatchObject([{ revision: 1, comment }]);
    await world.settle();
    expect(textOf(world.message(second).blocks)).toContain(`asked for changes on revision 1: ${comment}`);
    const third = await world.askedAgain(first, rolloutPlan('web-2026.12'));
    expect(await detail(ben, second.id)).toMatchObject({ state: 'voided', replaced_by: { request_id: third.id } });
    expect(await detail(ben, third.id)).toMatchObject({ changes_asked: [{ revision: 1 }], replaces: { revision: 2 } });
  });
});

describe('who could review a request', () => {
  const could = async (id: string): Promise<readonly string[]> =>
    (expectStatus(await ben.get(`/v1/approval-requests/${id}/reviewers`), 200).body.items as { id: string }[]).map(
      (person) => person.id,
    );

  it('is named while it is open, without those who had a hand in it, have approved, or share a vote', async () => {
    const request = await world.asked();
    expect(new Set(await could(request.id))).toEqual(new Set([world.ada.id, world.ben.id]));
    const approve = { verdict: 'approve', subject_digest: request.subject.digest };
    const once = expectStatus(await ada.post(`/v1/approval-requests/${request.id}/reviews`, approve), 201).body;
    expect(once.quorum).toMatchObject({
      filled: [{ person: { id: world.ada.id }, roles: ['SRELead'], as: ['SRELead'] }],
    });
    expect(await could(request.id)).toEqual([world.ben.id]);
    expectStatus(await ben.post(`/v1/approval-requests/${request.id}/reviews`, approve), 201);
    expect(await could(request.id)).toEqual([]);
  });
});

describe('a reply in the thread of a request in Slack', () => {
  const said = async (request: { readonly id: string }): Promise<readonly CommentView[]> =>
    expectStatus(await ben.get(on(request)), 200).body.items as CommentView[];

  it('is a comment of the person who wrote it, once, and is not told where it was written', async () => {
    const request = await world.asked();
    await world.settle();
    const message = world.message(request);
    const { sent, status, body } = await world.slack.reply(message, 'Why &lt;this&gt; image?', 'UADA');
    expect([status, body]).toEqual([200, '{}']);
    // Slack's own retry, and the same event in other bytes.
    await world.slack.send(world.slack.sign(sent.path, sent.body, Math.floor(Date.now() / 1_000) + 1));
    await world.slack.send(world.slack.sign(sent.path, ` ${sent.body}`));
    await world.settle();
    expect(await said(request)).toMatchObject([
      { author: { kind: 'person', id: world.ada.id }, body: 'Why <this> image?', via: 'slack' },
    ]);
    expect(world.slack.thread(message.ts)).toHaveLength(1);
    await say(ben, request, 'It has the fix.');
    await world.settle();
    const thread = world.slack.thread(message.ts);
    expect(thread).toHaveLength(2);
    expect(textOf(thread[1]?.blocks ?? [])).toContain('It has the fix.');
    expect(textOf(world.slack.in(directOf('UADA')).at(-1)?.blocks ?? [])).toContain('It has the fix.');
  });

  it('counts only from a linked account, and elsewhere nothing is kept', async () => {
    const request = await world.asked();
    await world.settle();
    const message = world.message(request);
    const before = world.slack.ephemerals.length;
    await world.slack.reply(message, 'I am nobody here.', 'UEVE');
    await world.settle();
    expect(world.slack.ephemerals.slice(before)).toMatchObject([{ user: 'UEVE' }]);
    const kept = async (): Promise<number> =>
      (await world.api.db.owner.query('select from slack_interaction')).rowCount ?? 0;
    const count = await kept();
    await world.slack.reply({ channel: message.channel, ts: '1.5' }, 'In another thread.', 'UADA');
    const edited = (more: object) => (event: Readonly<Record<string, unknown>>) => ({
      ...event,
      event: { ...(event.event as object), ...more },
    });
    await world.slack.reply(message, 'By a bot.', 'UADA', edited({ bot_id: 'B1' }));
    await world.slack.reply(message, 'Edited.', 'UADA', edited({ subtype: 'message_changed' }));
    await world.slack.reply(message, 'In no thread.', 'UADA', edited({ thread_ts: undefined }));
    await world.settle();
    expect(await kept()).toBe(count);
    expect(await said(request)).toEqual([]);
  });

  it('is taken from Slack alone, and only its challenge is given back unsigned', async () => {
    const request = await world.asked();
    await world.settle();
    const { sent } = await world.slack.reply(world.message(request), 'Fine.', 'UADA');
    const forged = [
      { ...sent, body: sent.body.replace('Fine.', 'Not fine.') },
      { ...sent, headers: { ...sent.headers, 'x-slack-signature': `v0=${'0'.repeat(64)}` } },
      world.slack.sign(sent.path, sent.body, Math.floor(Date.now() / 1_000) - 600),
      world.slack.sign(sent.path, '{"type":"url_verification","challenge":"<script>"}'),
    ];
    for (const each of forged) {
      const answer = await world.slack.send(each);
      expect([answer.status, answer.body]).toEqual([401, expect.stringContaining('slack.signature')]);
    }
    await world.settle();
    expect((await said(request)).map(({ body }) => body)).toEqual(['Fine.']);
    const challenge = { ...sent, body: '{"token":"x","type":"url_verification","challenge":"3eZbrw1a.B-c"}' };
    expect(await world.slack.send(challenge)).toMatchObject({ status: 200, body: '{"challenge":"3eZbrw1a.B-c"}' });
  });
});
