import { newId, type ApprovalRequestId } from '#lib/kernel';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { CommentId } from '../domain/ids.js';
import { FakeConversationWorld } from './fake-conversation-world.js';

const PAGE = { limit: 50, after: null };

let world: FakeConversationWorld;
beforeEach(() => {
  world = new FakeConversationWorld();
});

const added = async (...of: Parameters<typeof world.adding.execute>): Promise<CommentId> => {
  const result = await world.adding.execute(...of);
  if (!result.ok) throw new Error(result.error.code);
  return result.value.comment.id;
};
const missing = { ok: false, error: { code: 'resource.not_found' } };

describe('a conversation', () => {
  it('is read in order by people, and by agents without addresses', async () => {
    const { owner, agent } = world.tenant;
    const request = world.request();
    await added(owner, request, 'Why?');
    world.uow.now += 1;
    await added(owner, request, 'And why now?');
    const [name, address] = [`name of ${owner.personId}`, ' (with an address)'];
    expect(await world.reading.of(owner, request, PAGE)).toMatchObject({
      ok: true,
      value: [{ comment: { body: 'Why?' }, authorName: name + address }, { comment: { body: 'And why now?' } }],
    });
    expect(await world.reading.of(agent, request, PAGE)).toMatchObject({ value: [{ authorName: name }, {}] });
  });

  it('is unknown under another id, and to another tenant', async () => {
    const stranger = sampleTenant().owner;
    const request = world.request();
    const unknown = { ...request, id: newId<ApprovalRequestId>() };
    await added(world.tenant.owner, request, 'Why?');
    expect(await world.reading.of(stranger, request, PAGE)).toMatchObject(missing);
    expect(await world.reading.of(world.tenant.owner, unknown, PAGE)).toMatchObject(missing);
    expect(await world.reading.read(stranger, request)).toMatchObject(missing);
  });

  it('waits in the inbox until its page is shown to the person', async () => {
    const { owner } = world.tenant;
    const ada = world.person('Ada');
    const request = world.request();
    await added(ada, request, 'Why?');
    expect((await world.reading.unread(owner, PAGE)).map(({ headline }) => headline)).toEqual([request.headline]);
    expect(await world.reading.read(ada, request)).toMatchObject({ ok: true });
    expect(await world.reading.unread(owner, PAGE)).toHaveLength(1);
    expect(await world.reading.read(owner, request)).toMatchObject({ ok: true });
    expect(await world.reading.unread(owner, PAGE)).toEqual([]);
  });
});

describe('a reply in a thread of Slack', () => {
  it.each(['request', 'told'])('under a message %s:ID is a comment on the request', async (kind) => {
    const request = world.request();
    await world.replies.comment(world.tenant.owner, `${kind}:${request.id}`, 'Fine.', 'C1');
    expect(await world.said(request)).toEqual(['Fine.']);
    expect(world.audited).toMatchObject([{ payload: { via: 'slack' } }]);
  });

  it('under a message of a change is a comment on the change', async () => {
    const change = world.change();
    await world.replies.comment(world.tenant.owner, `change_request.changed:${change.id}`, 'Fine.', 'C1');
    expect(await world.said(change)).toEqual(['Fine.']);
  });
});

describe('the notice of a comment', () => {
  const noticeOf = (id: CommentId) => world.inTx((tx) => world.commentNotices.read(tx, { comment_id: id }));

  it('goes to the people it concerns and to the thread of its subject, not back to its channel', async () => {
    const ada = world.person('Ada');
    const request = world.request();
    const id = await added(ada, request, 'Why?', { kind: 'slack', channel: 'C1' });
    expect(await noticeOf(id)).toMatchObject({
      id,
      title: expect.stringContaining(`commented: ${request.headline}`) as string,
      words: { text: 'Why?' },
      url: `https://countersign.example/requests/${request.id}#conversation`,
      environment: 'production',
      thread: { of: `request:${request.id}`, notIn: 'C1' },
      people: [world.tenant.owner.personId],
      told: 'comments',
      always: false,
    });
    const change = world.change();
    expect(await noticeOf(await added(ada, change, 'Why?'))).toMatchObject({
      title: expect.stringContaining('commented: The executors') as string,
      url: `https://countersign.example/changes/${change.id}#conversation`,
      environment: null,
      thread: { of: `change_request.changed:${change.id}`, notIn: null },
      people: [world.tenant.admin.personId],
    });
  });

  it('never carries the words of an agent', async () => {
    expect(await noticeOf(await added(world.tenant.agent, world.request(), 'Trust me.'))).toBeNull();
    expect(await noticeOf(newId<CommentId>())).toBeNull();
  });
});
