import { digestOf, newId, type HaltId, type PersonPrincipal, type SessionId } from '#lib/kernel';
import { boundDigest } from '../domain/binding.js';
import { codeOf, FakeApprovalWorld, rules, valueOf, type CallRequest } from './fake-approval-world.js';
import { callRules } from './fake-call.js';

let world: FakeApprovalWorld;
let ada: PersonPrincipal;
beforeEach(() => {
  world = new FakeApprovalWorld();
  world.autonomy(callRules());
  ada = world.person('SRELead');
});
const stateOf = async ({ id }: CallRequest): Promise<string> => (await world.find(id)).state;
const withAutonomy = (staging: object) => (request: CallRequest) => {
  const document = callRules(staging);
  world.changeCall(request, ({ question }) => ({ question: { ...question, autonomy: document } }));
};

describe('an approval of a call', () => {
  it('consumes the request, and the call is allowed in the same transaction', async () => {
    const request = await world.askedAboutCall();
    const left = valueOf(await world.review(ada, request));
    expect(left.request.state).toBe('consumed');
    expect(await world.find(request.id)).toEqual(left.request);
    expect(world.answers.approved(world.tenant)).toMatchObject([
      { request: { id: request.id, state: 'approved' }, subject: { call: { id: request.subject.id } }, principal: ada },
    ]);
    expect(world.answers.denied(world.tenant)).toEqual([]);
    expect(world.starts.of(world.tenant)).toEqual([]);
    expect(world.audited.map(({ action }) => action)).toEqual([
      'approval_request.opened',
      'review.submitted',
      'approval_request.approved',
      'approval_request.consumed',
    ]);
    expect(world.audited.at(-1)?.payload).not.toHaveProperty('run_id');
    expect(codeOf(await world.review(ada, request))).toBe('approval.consumed');
  });

  it('T03: comes from the owner of the agent, too, in a session outside production', async () => {
    const owner = { ...world.tenant.owner, credentialKind: 'browser_session', scopes: ['review'] } as const;
    const inSession = await world.askedAboutCall({ sessionId: newId<SessionId>() });
    expect(codeOf(await world.review(owner, inSession))).toBe('ok');
    expect(codeOf(await world.review(owner, await world.askedAboutCall()))).toBe(
      'policy.denied review.separation_of_duties',
    );
  });

  it('T06: allows nothing if the approver lost the role while the review waited for them', async () => {
    world.autonomy(callRules({ allowed_approvers: ['SRELead'] }));
    const request = await world.askedAboutCall();
    const standing = world.people.standing.bind(world.people);
    world.people.standing = async (tx, ...asked) => {
      const before = await standing(tx, ...asked);
      const people = world.people.rows.of(tx);
      for (const [id, person] of people) people.set(id, { ...person, roles: [] });
      return before;
    };
    valueOf(await world.review(ada, request));
    expect(await world.find(request.id)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.role_lost' },
    });
    expect(world.answers.approved(world.tenant)).toEqual([]);
  });

  it.each([
    ['browser_session', 'ok'],
    ['slack_link', 'ok'],
    ['person_token', 'policy.denied review.browser_only'],
    ['issuer_token', 'policy.denied review.browser_only'],
  ] as const)('T55: with a credential of kind %s is %s', async (credentialKind, expected) => {
    const request = await world.askedAboutCall();
    const by = { ...ada, credentialKind };
    expect(codeOf(await world.review(by, request))).toBe(expected);
    expect(await stateOf(request)).toBe(expected === 'ok' ? 'consumed' : 'open');
  });

  it('of a plan is given with a token as well', async () => {
    world.autonomy(rules());
    expect(codeOf(await world.review({ ...ada, credentialKind: 'person_token' }, await world.asked()))).toBe('ok');
  });

  it('is refused for other content than the call that was asked about', async () => {
    const request = await world.askedAboutCall();
    const other = { verdict: 'approve', subject_digest: digestOf('tool-call', { other: true }) } as const;
    expect(codeOf(await world.reviewing.execute(ada, request.id, other))).toBe('approval.digest_mismatch');
  });

  it('T01: voids a request after a change of its tool, and its call is denied', async () => {
    const request = await world.askedAboutCall();
    world.changeCall(request, ({ registry }) => ({ registry: { ...registry, tools: new Map() } }));
    expect(await world.review(ada, request)).toMatchObject({
      error: {
        code: 'approval.binding_changed',
        message: 'The call is no longer as it was approved: tools (restart_service@1) changed.',
      },
    });
    expect(world.answers.denied(world.tenant)).toMatchObject([{ request: { state: 'voided' } }]);
  });

  it('T06: voids a request for which policy has become stricter', async () => {
    const request = await world.askedAboutCall();
    withAutonomy({ require_two_approvers: true })(request);
    expect(codeOf(await world.review(ada, request))).toMatch('approval.stricter');
    expect(world.answers.denied(world.tenant)).toMatchObject([
      { request: { closedReason: { code: 'approval.stricter' } } },
    ]);
  });

  it('T06: still counts if policy has become milder', async () => {
    const request = await world.askedAboutCall();
    withAutonomy({ require_approval: false })(request);
    expect(codeOf(await world.review(ada, request))).toBe('ok');
  });

  it('is refused under a halt, and the request stays open; a rejection counts', async () => {
    const request = await world.askedAboutCall();
    world.changeCall(request, ({ question }) => ({
      question: { ...question, halts: [{ id: newId<HaltId>(), kind: 'tenant' }] },
    }));
    expect(codeOf(await world.review(ada, request))).toBe('policy.denied halt.active');
    expect(await stateOf(request)).toBe('open');
    expect(codeOf(await world.review(ada, request, 'reject'))).toBe('ok');
    expect(await stateOf(request)).toBe('denied');
  });

  it('is refused once the time is over, and the call is denied', async () => {
    const request = await world.askedAboutCall({}, 120);
    world.uow.now += 120_000;
    expect(codeOf(await world.review(ada, request))).toBe('approval.expired');
    expect(world.answers.denied(world.tenant)).toMatchObject([{ request: { state: 'expired' } }]);
  });
});

describe('a call that takes two people', () => {
  const asked = async (): Promise<CallRequest> => {
    world.autonomy(callRules({ allowed_approvers: ['SRELead'], require_two_approvers: true }));
    return world.askedAboutCall();
  };

  it('is allowed with the second approval', async () => {
    const request = await asked();
    valueOf(await world.review(ada, request));
    expect(await stateOf(request)).toBe('open');
    expect(world.answers.approved(world.tenant)).toEqual([]);
    valueOf(await world.review(world.person('SRELead'), request));
    expect(await stateOf(request)).toBe('consumed');
  });

  it.each<[string, (first: PersonPrincipal) => void, string]>([
    [
      'is disabled',
      (first) => {
        world.changePerson(first, () => ({ disabled: true }));
      },
      'approval.reviewer_disabled',
    ],
    [
      'has lost the role',
      (first) => {
        world.revokeRole(first, 'SRELead');
      },
      'approval.role_lost',
    ],
  ])('is denied if the first approver %s by then', async (_what, change, code) => {
    const request = await asked();
    valueOf(await world.review(ada, request));
    change(ada);
    valueOf(await world.review(world.person('SRELead'), request));
    expect(await world.find(request.id)).toMatchObject({ state: 'voided', closedReason: { code } });
    expect(world.answers.approved(world.tenant)).toEqual([]);
    expect(world.answers.denied(world.tenant)).toMatchObject([{ callId: request.subject.id }]);
  });
});

describe('a rejection of a call', () => {
  it('denies the call, with or without a reason', async () => {
    for (const comment of ['not now', undefined]) {
      const request = await world.askedAboutCall();
      const given = { verdict: 'reject', comment, subject_digest: boundDigest(request.binding) } as const;
      valueOf(await world.reviewing.execute(ada, request.id, given));
      expect(await stateOf(request)).toBe('denied');
    }
    expect(world.answers.denied(world.tenant)).toHaveLength(2);
  });

  it('is the only other verdict: a call has no request for changes', async () => {
    const request = await world.askedAboutCall();
    expect(codeOf(await world.review(ada, request, 'request_changes'))).toBe('approval.verdict_not_for_call');
    expect(await stateOf(request)).toBe('open');
  });
});
