import type { CommentView } from '#lib/contracts';
import { expectStatus, type HttpAs } from '../support/api.js';
import { slackWorld, type SlackWorld } from '../support/slack-world.js';
import { verifiedBy } from '../support/verified-by.js';

let world: SlackWorld;
let ada: HttpAs;
let ben: HttpAs;

beforeAll(async () => {
  world = await slackWorld();
  ada = world.api.http(world.ada.token);
  ben = world.api.http(world.ben.token);
}, 120_000);
afterAll(() => world.close());
afterEach(() => {
  expect(world.slack.refusals.splice(0)).toEqual([]);
});

interface Request {
  readonly id: string;
  readonly plan_id: string;
}

const on = ({ id }: { readonly id: string }): string => `/v1/approval-requests/${id}/comments`;
const say = async (as: HttpAs, request: Request, body: string): Promise<CommentView> =>
  expectStatus(await as.post(on(request), { body }), 201).body as CommentView;
const unread = async (as: HttpAs): Promise<readonly string[]> =>
  (expectStatus(await as.get('/v1/unread-comments'), 200).body.items as CommentView[]).map(({ body }) => body);
const mailed = async (topic = 'comment.added'): Promise<readonly string[]> => {
  const { rows } = await world.api.db.owner.query<{ place: string }>(
    "select place from outbox_message where topic = $1 and place like 'email:%' order by place",
    [topic],
  );
  return rows.map(({ place }) => place.split(':')[1] ?? '');
};

describe('a conversation on a request', () => {
  it('is heard by whoever asked, reviewed, claimed, spoke before or is mentioned, and never by its author', async () => {
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
    // The agent's words went to nobody.
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

  it('is part of the evidence, and told by the verifier', async () => {
    const request = await world.asked();
    await say(ada, request, 'Why this image?\nAnd why now?');
    await say(world.agent, request, 'Trust me.');
    const pack = expectStatus(await world.admin.post(`/v1/plans/${request.plan_id}/evidence`, {}), 200).text;
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
