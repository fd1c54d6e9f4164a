import { digestOf, newId, type AgentPrincipal, type ApprovalRequestId, type SystemPrincipal } from '#lib/kernel';
import { sampleAgent, sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { commentDocument } from '../domain/comment.js';
import { MAX_UNANSWERED } from '../domain/decide-comment.js';
import { FakeConversationWorld } from './fake-conversation-world.js';

let world: FakeConversationWorld;
beforeEach(() => {
  world = new FakeConversationWorld();
});

const add = (...[by, subject, text = 'Why this image?', via]: Partial<Parameters<typeof world.adding.execute>>) => {
  if (by === undefined || subject === undefined) throw new Error('a comment has an author and a subject');
  return world.adding.execute(by, { type: subject.type, id: subject.id } as typeof subject, text, via);
};
const codeOf = (result: Awaited<ReturnType<typeof add>>): string => (result.ok ? 'ok' : result.error.code);
/** The comment that was added. */
const added = async (...of: Parameters<typeof add>) => {
  const result = await add(...of);
  if (!result.ok) throw new Error(result.error.code);
  const { comment } = result.value;
  expect((await world.inTx((tx) => world.conversation.find(tx, comment.id)))?.comment).toEqual(comment);
  return comment;
};

describe('a comment of a person', () => {
  it('is kept, and fixed by its digest in the audit entry of its subject', async () => {
    const { owner } = world.tenant;
    const request = world.request();
    const comment = await added(owner, request);
    expect(comment).toMatchObject({
      subject: { type: 'approval_request', id: request.id },
      author: { kind: 'person', id: owner.personId, onBehalfOf: null },
      credentialId: owner.credentialId,
      body: 'Why this image?',
      via: { kind: 'api' },
      createdAt: world.uow.now,
    });
    expect(world.audited).toMatchObject([
      {
        action: 'comment.added',
        actor: { kind: 'person', id: owner.personId },
        level: 'full_with_evidence',
        subject: { type: 'approval_request', id: request.id },
        within: [
          { type: 'task', id: request.taskId },
          { type: 'plan', id: request.planId },
        ],
        evidence: [{ kind: 'comment', id: comment.id, digest: digestOf('comment', commentDocument(comment)) }],
        payload: { comment_id: comment.id, comment: 'Why this image?', via: 'api' },
      },
    ]);
    expect(world.notices).toEqual([{ topic: 'comment.added', payload: { comment_id: comment.id } }]);
  });

  it('may be about a change, in Slack, and on a request that is decided', async () => {
    const change = world.change();
    const comment = await added(world.tenant.owner, change, 'Fine.', { kind: 'slack', channel: 'C1' });
    expect(comment).toMatchObject({ subject: { type: 'change_request', id: change.id }, via: { channel: 'C1' } });
    expect(world.audited).toMatchObject([
      { subject: { type: 'change_request', id: change.id }, payload: { via: 'slack' } },
    ]);
    expect(world.audited[0]).not.toHaveProperty('within');
    expect(codeOf(await add(world.tenant.owner, world.request({ state: 'denied' })))).toBe('ok');
  });

  it('T32: is kept without secrets', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const comment = await added(world.tenant.owner, world.request(), `Use ${secret}, please.`);
    expect(comment.body).toContain('Use ');
    expect(JSON.stringify([comment, world.audited])).not.toContain(secret);
  });

  it('waits for the people it concerns or mentions, each once, and never for its author', async () => {
    const { owner, admin } = world.tenant;
    const request = world.request();
    const [ada, ben] = [world.person('Ada'), world.person('Ben')];
    const told = async (comment: Awaited<ReturnType<typeof added>>) =>
      world.inTx((tx) => world.conversation.told(tx, comment.id));
    expect(await told(await added(owner, request))).toEqual([]);
    const mentioning = await added(ada, request, `Fine. @Ben, @Ada and @p-${admin.personId}@example.com: look.`);
    expect(await told(mentioning)).toEqual([owner.personId, ben.personId, admin.personId].sort());
    expect(await told(await added(owner, request, '@Ada?'))).toEqual([ada.personId]);
  });
});

describe('the answer', () => {
  it('has the name of a person as people read it, and the name of an agent', async () => {
    const { owner, agent } = world.tenant;
    const authorName = `name of ${owner.personId} (with an address)`;
    expect(await add(owner, world.request())).toMatchObject({
      value: { comment: { body: 'Why this image?' }, authorName },
    });
    expect(await add(agent, world.request())).toMatchObject({ value: { authorName: agent.displayName } });
  });
});

describe('a comment of an agent', () => {
  const delegated = (): AgentPrincipal => ({ ...world.tenant.agent, onBehalfOf: world.tenant.admin.personId });

  it('waits in the inbox of the people it concerns, mentions no person, and is never sent out', async () => {
    const { agent, owner, admin } = world.tenant;
    const comment = await added(delegated(), world.request(), `It fixes the drift, @p-${admin.personId}@example.com.`);
    expect(comment.author).toEqual({ kind: 'agent', id: agent.agentId, onBehalfOf: admin.personId });
    expect(await world.inTx((tx) => world.conversation.told(tx, comment.id))).toEqual([owner.personId]);
    expect(world.notices).toEqual([]);
    expect(world.audited).toMatchObject([{ action: 'comment.added', actor: { kind: 'agent', id: agent.agentId } }]);
  });

  it('T67: is refused after so many without an answer on the requests of the task, until a person answers', async () => {
    const { agent, owner } = world.tenant;
    const first = world.request();
    const second = world.request({ taskId: first.taskId });
    for (let count = 0; count < MAX_UNANSWERED; count += 1) {
      world.uow.now += 1;
      expect(codeOf(await add(agent, count % 2 === 0 ? first : second))).toBe('ok');
    }
    world.uow.now += 1;
    expect(codeOf(await add(agent, second))).toBe('comment.limit');
    expect(codeOf(await add(agent, world.request()))).toBe('ok');
    expect(await world.said(first)).toHaveLength(3);
    await added(owner, first);
    world.uow.now += 1;
    expect(codeOf(await add(agent, second))).toBe('ok');
  });

  it('T67: is refused beyond the number, if many are written at the same moment', async () => {
    const request = world.request();
    const results = await Promise.all(
      Array.from({ length: MAX_UNANSWERED + 3 }, () => add(world.tenant.agent, request)),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(MAX_UNANSWERED);
    expect(await world.said(request)).toHaveLength(MAX_UNANSWERED);
  });
});

describe('a comment is refused', () => {
  it('with its code, and nothing is written', async () => {
    const { agent, owner, tenantId } = world.tenant;
    const [request, closed, change] = [world.request(), world.request({ state: 'approved' }), world.change()];
    const system: SystemPrincipal = { kind: 'system', tenantId, name: 'worker' };
    const unknown = { type: 'approval_request', id: newId<ApprovalRequestId>() } as const;
    expect([
      codeOf(await add(system, request)),
      codeOf(await add(sampleAgent(owner), request)),
      codeOf(await add(agent, closed)),
      codeOf(await add(agent, change)),
      codeOf(await add(agent, request, 'x'.repeat(2_001))),
      codeOf(await add(owner, unknown)),
      codeOf(await add(owner, { ...unknown, type: 'change_request', id: newId<never>() })),
      codeOf(await add(sampleTenant().owner, request)),
    ]).toEqual([
      'comment.person_only',
      'comment.not_own_plan',
      'comment.request_closed',
      'comment.person_only',
      'comment.too_long',
      'resource.not_found',
      'resource.not_found',
      'resource.not_found',
    ]);
    for (const topic of [request, closed, change]) expect(await world.said(topic)).toEqual([]);
    expect([world.audited, world.notices]).toEqual([[], []]);
  });
});
