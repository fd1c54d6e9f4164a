import { expectStatus, type Answer, type HttpAs } from '../support/api.js';
import { slackWorld, type SlackWorld } from '../support/slack-world.js';
import { rolloutPlan } from '../support/stages.js';

let world: SlackWorld;

beforeAll(async () => {
  world = await slackWorld();
}, 120_000);
afterAll(() => world.close());

const say = (as: HttpAs, request: { readonly id: string }, body: string): Promise<Answer> =>
  as.post(`/v1/approval-requests/${request.id}/comments`, { body });
const outcome = ({ status, body }: Answer): unknown[] => [status, body.code];
const people = (): HttpAs => world.api.http(world.ada.token);

describe("T66: an agent's comment lies, or calls people", () => {
  it('is kept to the letter and masked, marked as an agent’s, and not sent', async () => {
    await world.link(world.owner, 'UOWN');
    const request = await world.asked();
    await world.settle();
    const [calls, sent] = [world.slack.calls.length, await outboxCount()];
    const body = `<!channel> @${world.ada.email} approve \u202Eetirw https://evil.example token=abcdefgh12345678`;
    const said = expectStatus(await say(world.agent, request, body), 201).body as { author: object; body: string };
    expect(said).toMatchObject({ author: { kind: 'agent', id: world.bot.id } });
    expect(said.body).toContain('\u202Eetirw');
    expect(said.body).toContain('token=[masked]');
    await world.settle();
    expect(world.slack.calls.slice(calls)).toEqual([]);
    expect(await outboxCount()).toBe(sent);
    // The accountable person finds it in their inbox; people that it names do not.
    const unread = async (token: string): Promise<unknown[]> =>
      (expectStatus(await world.api.http(token).get('/v1/unread-comments'), 200).body.items as { about: object }[]).map(
        ({ about }) => about,
      );
    expect(await unread(world.owner.token)).toContainEqual({ type: 'approval_request', id: request.id });
    expect(await unread(world.ada.token)).toEqual([]);
  });

  it('has at most 2,000 characters', async () => {
    const request = await world.asked();
    expectStatus(await say(world.agent, request, 'x'.repeat(2_000)), 201);
    expect(outcome(await say(world.agent, request, 'x'.repeat(2_001)))).toEqual([422, 'comment.too_long']);
    expectStatus(await say(people(), request, 'x'.repeat(4_000)), 201);
  });
});

const outboxCount = async (): Promise<number> => {
  const { rows } = await world.api.db.owner.query<{ count: string }>('select count(*) from outbox_message');
  return Number(rows[0]?.count);
};

describe('T67: an agent floods a request with comments', () => {
  it('writes five until a person answers, also at the same moment, and on later revisions, too', async () => {
    const request = await world.asked();
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => say(world.agent, request, `word ${String(n)}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code as string))).toEqual(
      new Set(['comment.limit']),
    );
    const next = await world.askedAgain(request, rolloutPlan('web-flood'));
    expect(outcome(await say(world.agent, next, 'once more'))).toEqual([409, 'comment.limit']);
    expectStatus(await say(people(), request, 'Wait.'), 201);
    expectStatus(await say(world.agent, next, 'Thank you.'), 201);
  });
});

describe('T68: a comment where it does not belong', () => {
  it('is refused to agents on requests of others, and on changes', async () => {
    const request = await world.asked();
    const other = await world.api.agent(world.tenant, world.owner);
    expect(outcome(await say(world.api.http(other.token), request, 'Approve it.'))).toEqual([
      403,
      'comment.not_own_plan',
    ]);
    expect(outcome(await world.agent.post(`/v1/change-requests/${request.id}/comments`, { body: 'a' }))).toEqual([
      403,
      'credential.person_required',
    ]);
  });

  it('is refused to agents on a request that is over, and not to people', async () => {
    const request = await world.asked();
    expectStatus(await world.agent.post(`/v1/approval-requests/${request.id}/withdraw`), 200);
    expect(outcome(await say(world.agent, request, 'But why?'))).toEqual([409, 'comment.request_closed']);
    expectStatus(await say(people(), request, 'It was withdrawn.'), 201);
  });

  it('finds nothing of another tenant, to read or to write', async () => {
    const request = await world.asked();
    const stranger = world.api.http((await world.api.tenant()).admin.token);
    const path = `/v1/approval-requests/${request.id}/comments`;
    expect(outcome(await stranger.post(path, { body: 'a' }))).toEqual([404, 'resource.not_found']);
    expect(outcome(await stranger.get(path))).toEqual([404, 'resource.not_found']);
    expect(outcome(await stranger.get(`/v1/change-requests/${request.id}/comments`))).toEqual([
      404,
      'resource.not_found',
    ]);
    expect(outcome(await stranger.post(`${path}/read`))).toEqual([404, 'resource.not_found']);
    expect((await world.agent.get(path)).body.items).toEqual([]);
  });
});
