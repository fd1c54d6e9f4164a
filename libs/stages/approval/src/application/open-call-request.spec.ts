import { newId, type CredentialId, type PersonId, type SessionId } from '#lib/kernel';
import { boundDigest } from '../domain/binding.js';
import { MAX_REQUESTS } from '../domain/request-flood.js';
import { codeOf, FakeApprovalWorld, valueOf } from './fake-approval-world.js';
import { callRules, sampleCall } from './fake-call.js';

let world: FakeApprovalWorld;
beforeEach(() => {
  world = new FakeApprovalWorld();
  world.autonomy(callRules());
});

describe('asking about a single call', () => {
  it('binds the call, its tool and its environment, for as many seconds as the session gives', async () => {
    const request = await world.askedAboutCall({}, 45);
    const subject = await world.inTx((tx) => world.calls.read(tx, request.subject.id));
    expect(request).toMatchObject({
      state: 'open',
      subject: { type: 'tool_call', sessionId: null },
      environmentId: world.tenant.staging.id,
      headline: 'Restarts nginx on web-01.',
      risk: 'medium',
      targets: 1,
      start: { kind: 'on_approval' },
      decision: { outcome: 'require_approval', obligations: { approvals: [{ count: 1, roles: ['any'] }] } },
      expiresAt: world.uow.now + 45_000,
    });
    expect(request.binding).toMatchObject({ subject: { tool_call: subject?.call.digest }, executors: {} });
    expect(Object.keys(request.binding.tools)).toEqual(['restart_service@1']);
    expect(boundDigest(request.binding)).toBe(subject?.call.digest);
    expect(await world.find(request.id)).toEqual(request);
  });

  it('is recorded within the session and the call, and told to people once', async () => {
    const sessionId = newId<SessionId>();
    const request = await world.askedAboutCall({ sessionId });
    const session = { type: 'session', id: sessionId };
    const call = { type: 'tool_call', id: request.subject.id };
    expect(world.audited).toMatchObject([
      { action: 'approval_request.opened', within: [session, call], payload: { state: 'open' } },
    ]);
    expect(world.audited[0]?.payload).not.toHaveProperty('phases');
    expect(world.told).toMatchObject([{ payload: { request_id: request.id, event: 'opened' } }]);
    expect(world.known).toMatchObject([{ request: { id: request.id } }]);
    world.uow.now += 110_000;
    expect(await world.clock(world.reminding)).toBe(0);
  });

  it('T03: excludes the people behind the agent, but not its owner in a session outside production', async () => {
    const [behalf, minter] = [newId<PersonId>(), newId<PersonId>()];
    const acting = (production: boolean) =>
      world.askedAboutCall({
        sessionId: newId<SessionId>(),
        change: ({ call, environment, answerable }) => ({
          call: { ...call, submitter: { ...call.submitter, onBehalfOf: behalf } as typeof call.submitter },
          environment: { ...environment, production },
          answerable: [...answerable, behalf, minter],
        }),
      });
    expect((await acting(false)).excluded).toEqual([
      { personId: behalf, why: 'on_behalf_of' },
      { personId: minter, why: 'owner' },
    ]);
    expect((await acting(true)).excluded).toEqual([
      { personId: behalf, why: 'on_behalf_of' },
      { personId: world.tenant.owner.personId, why: 'owner' },
      { personId: minter, why: 'owner' },
    ]);
  });

  it('T03: excludes the person who submitted it', async () => {
    const { personId, credentialId } = world.tenant.admin;
    const { excluded } = await world.askedAboutCall({
      change: ({ call }) => ({
        call: { ...call, submitter: { kind: 'person', id: personId, onBehalfOf: null, credentialId } },
        ownerId: null,
        answerable: [],
      }),
    });
    expect(excluded).toEqual([{ personId, why: 'submitter' }]);
  });

  it('T09: is throttled together with plans, and two equal calls are two requests', async () => {
    const first = await world.askedAboutCall();
    const same = await world.askedAboutCall();
    expect(same.contentDigest).toBe(first.contentDigest);
    expect(same.id).not.toBe(first.id);
    for (let asked = 2; asked < MAX_REQUESTS; asked += 1) await world.askedAboutCall();
    await expect(world.askedAboutCall()).rejects.toThrow('approval.flood');
    expect(world.audited.at(-1)).toMatchObject({
      action: 'approval_request.throttled',
      subject: { type: 'tool_call' },
    });
  });

  it('T55: is throttled for a person with tokens too, and not in a browser', async () => {
    const ada = world.person('SRE');
    const laptop = { ...ada, credentialKind: 'person_token' } as const;
    for (let asked = 0; asked < MAX_REQUESTS; asked += 1) await world.askedAboutCall({}, 120, laptop);
    const other = { ...laptop, credentialKind: 'issuer_token', credentialId: newId<CredentialId>() } as const;
    await expect(world.askedAboutCall({}, 120, other)).rejects.toThrow('approval.flood');
    await world.askedAboutCall({}, 120, ada);
    await world.askedAboutCall();
  });

  it('T54: asks nobody about a tool that its MCP server defines otherwise than was accepted', async () => {
    world.redefined = { kind: 'conflict', code: 'mcp.definition_changed', message: 'm', action: 'a' };
    await expect(world.askedAboutCall()).rejects.toThrow('mcp.definition_changed');
    expect(world.audited).toEqual([]);
  });

  it('is only for a call that policy asks people about', async () => {
    const subject = sampleCall(world.tenant, { revisionId: null, facts: null }, world.uow.now);
    const asking = world.inTx(async (tx) => {
      const about = { subject: { type: 'tool_call', id: subject.call.id }, within: [] };
      const decided = await world.policy.decide(tx, 'tool_call', subject.question, about);
      expect(decided.decision.outcome).toBe('deny');
      return world.openCall.execute(tx, world.tenant.agent, { subject, decided, approvalSeconds: 120, now: 0 });
    });
    await expect(asking).rejects.toThrow('policy asks nobody');
  });
});

describe('a request about a call', () => {
  it('is read with the call, in the detail, in lists and in the queue', async () => {
    const ada = world.person('SRELead');
    const request = await world.askedAboutCall();
    const detail = valueOf(await world.reading.get(ada, request.id));
    expect(detail).toMatchObject({
      subject: { type: 'tool_call', call: { reason: 'nginx does not answer' } },
      mayReview: { outcome: 'allow' },
      changesAsked: [],
      replaces: null,
      changesSinceMyReview: null,
      changedSinceOpened: [],
    });
    const about = { type: 'tool_call', tool: 'restart_service', impact: 'Restarts nginx on web-01.' };
    expect(await world.reading.list(ada, {}, { limit: 10, after: null })).toMatchObject([{ about }]);
    expect((await world.queue.execute(ada, { limit: 10, after: null })).items).toMatchObject([{ about }]);
  });

  it('is withdrawn by its agent, and not by a person beside it', async () => {
    const request = await world.askedAboutCall();
    expect(codeOf(await world.withdrawing.execute(world.person('SRELead'), request.id))).toBe('tool_call.not_yours');
    expect(codeOf(await world.withdrawing.execute(world.tenant.agent, request.id))).toBe('ok');
    expect(await world.find(request.id)).toMatchObject({ state: 'voided' });
    expect(world.answers.denied(world.tenant)).toMatchObject([
      { callId: request.subject.id, request: { closedReason: { code: 'approval.withdrawn' } } },
    ]);
  });

  it('is voided with a call that was withdrawn, once', async () => {
    const request = await world.askedAboutCall();
    const by = { principal: world.tenant.agent, at: world.uow.now, why: 'withdrawn' } as const;
    for (let round = 0; round < 2; round += 1)
      await world.inTx((tx) => world.voiding.callWithdrawn(tx, request.subject.id, by));
    expect(await world.find(request.id)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.call_withdrawn' },
    });
    expect(world.answers.denied(world.tenant)).toHaveLength(1);
  });

  it('expires after its seconds, and its call is denied in the same transaction', async () => {
    const request = await world.askedAboutCall({}, 120);
    world.uow.now += 119_999;
    expect(await world.clock(world.expiring)).toBe(0);
    world.uow.now += 1;
    expect(await world.clock(world.expiring)).toBe(1);
    expect(world.answers.denied(world.tenant)).toMatchObject([
      { callId: request.subject.id, request: { state: 'expired' }, principal: { kind: 'system' } },
    ]);
    expect(await world.clock(world.expiring)).toBe(0);
  });
});
