import type { SteppedUpOperation } from '#lib/identity';
import { digestOf, newId, type AgentPrincipal, type PersonId, type PersonPrincipal } from '#lib/kernel';
import { sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import { planKey, type ApprovalRequest } from '../domain/approval-request.js';
import type { PlanSubject } from '../domain/approval-subject.js';
import { boundDigest } from '../domain/binding.js';
import { codeOf, FakeApprovalWorld, MINUTE, ofPlan, rules, valueOf } from './fake-approval-world.js';
import { simulationOf } from './fake-subject.js';

let world: FakeApprovalWorld;
let ada: PersonPrincipal;
let ben: PersonPrincipal;
beforeEach(() => {
  world = new FakeApprovalWorld();
  [ada, ben] = [world.person('SRELead'), world.person('SRELead')];
});

const reviewed = async (by: Parameters<typeof world.review>[0], request: ApprovalRequest): Promise<string> =>
  codeOf(await world.review(by, request));
const stateOf = async ({ id }: ApprovalRequest): Promise<string> => (await world.find(id)).state;

/** How somebody is known who came in by a token that the other made. */
const cameInBy = (hand: PersonId) => ({
  waysIn: [{ basis: 'token', by: hand, hand, issuer: null, at: 1, since: 1, handAt: 1, counts: false } as const],
});

describe('a quorum', () => {
  it('is reached by two people, approves for a bounded time, and is on record', async () => {
    const request = await world.asked();
    expect(valueOf(await world.review(ada, request)).request.state).toBe('open');
    const { request: approved, review } = valueOf(await world.review(ben, request));
    expect(approved).toMatchObject({
      state: 'approved',
      approvedAt: world.uow.now,
      approvalExpiresAt: world.uow.now + 240 * MINUTE,
    });
    expect(await world.find(request.id)).toEqual(approved);
    expect(review).toMatchObject({
      personId: ben.personId,
      roles: [{ role: 'SRELead' }],
      delegatedBy: null,
      mfa: null,
    });
    expect(world.audited.map(({ action }) => action)).toEqual([
      'approval_request.opened',
      'review.submitted',
      'review.submitted',
      'approval_request.approved',
    ]);
    expect(world.audited.at(-1)?.payload).toMatchObject({
      approved_by: [{ person_id: ada.personId }, { person_id: ben.personId }],
    });
    expect(world.told.map(({ payload }) => 'event' in payload && payload.event)).toEqual([
      'opened',
      'reviewed',
      'reviewed',
      'approved',
    ]);
    expect(world.starts.of(world.tenant)).toEqual([]);
  });

  it('is not reached by one person twice: the later review replaces the earlier (T05)', async () => {
    const request = await world.asked();
    const first = valueOf(await world.review(ada, request)).review;
    world.uow.now += 1;
    const again = await Promise.all([
      world.review(ada, request),
      world.review({ ...ada, scopes: ['review'] }, request),
    ]);
    expect(again.map(codeOf)).toEqual(['ok', 'ok']);
    expect(await stateOf(request)).toBe('open');
    const { reviews } = valueOf(await world.reading.reviews(ada, request.id));
    expect(reviews.filter(({ replacedAt }) => replacedAt === null)).toHaveLength(1);
    expect(reviews.find(({ id }) => id === first.id)?.replacedAt).toBe(world.uow.now);
  });

  it('T17: counts no review by a credential that was revoked while the review waited', async () => {
    const request = await world.asked();
    const hold = world.subjects.holdRequest.bind(world.subjects);
    world.subjects.holdRequest = (...asked) => {
      world.people.endedCredentials.add(ada.credentialId);
      return hold(...asked);
    };
    expect(await reviewed(ada, request)).toBe('credential.ended');
    expect(valueOf(await world.reading.reviews(ben, request.id)).reviews).toEqual([]);
  });

  it('counts people who came in by one hand as one', async () => {
    const request = world.asked();
    const [cem, dan] = [world.person('SRELead'), world.person('SRELead')];
    world.changePerson(cem, () => cameInBy(ada.personId));
    world.changePerson(dan, () => cameInBy(cem.personId));
    for (const by of [ada, cem, dan]) expect(await reviewed(by, await request)).toBe('ok');
    expect(await stateOf(await request)).toBe('open');
    expect(await reviewed(ben, await request)).toBe('ok');
    expect(await stateOf(await request)).toBe('approved');
  });

  it('fills one slot for each role that is asked for', async () => {
    const slots = [
      { count: 1, roles: ['SRELead'] },
      { count: 1, roles: ['SecurityReviewer'] },
    ];
    world.autonomy(rules({ quorum: slots, allowed_approvers: ['SRELead', 'SecurityReviewer'] }));
    const request = await world.asked();
    for (const by of [ada, ben]) expect(await reviewed(by, request)).toBe('ok');
    expect(await stateOf(request)).toBe('open');
    expect(await reviewed(world.person('SecurityReviewer'), request)).toBe('ok');
    expect(await stateOf(request)).toBe('approved');
  });
});

describe('one verdict against it', () => {
  it.each([
    ['reject', 'denied', 'approval.rejected'],
    ['request_changes', 'changes_requested', 'approval.changes_requested'],
  ] as const)('%s closes the request, also after approvals', async (verdict, state, code) => {
    const request = await world.asked();
    valueOf(await world.review(ada, request));
    const { review } = valueOf(await world.review(ben, request, verdict));
    expect(await world.find(request.id)).toMatchObject({
      state,
      closedReason: { code, details: { review_id: review.id, person_id: ben.personId } },
    });
    expect(await reviewed(world.person('SRELead'), request)).toBe('approval.already_decided');
    expect(await world.start(request.subject.id)).toBe('policy.denied approval.required');
  });

  it.each(['reject', 'request_changes'] as const)('%s needs a reason', async (verdict) => {
    const request = await world.asked();
    for (const comment of [undefined, '', ' \n'])
      expect(
        codeOf(
          await world.reviewing.execute(ada, request.id, {
            verdict,
            comment,
            subject_digest: boundDigest(request.binding),
          }),
        ),
      ).toBe('approval.reason_missing');
    expect(await stateOf(request)).toBe('open');
  });

  it('and the approval of the same moment: the first decides (T05)', async () => {
    const request = await world.asked();
    valueOf(await world.review(ada, request));
    const both = [world.review(ben, request), world.review(world.person('SRELead'), request, 'reject')];
    expect((await Promise.all(both)).map(codeOf)).toEqual(['ok', 'approval.already_decided']);
    expect(await stateOf(request)).toBe('approved');
  });
});

describe('T03: no person approves their own', () => {
  const SOD = 'policy.denied review.separation_of_duties';

  it('not who asked, or submitted the plan or the task', async () => {
    const lead = world.person('SRELead', 'PlatformAdmin');
    const request = valueOf(
      await world.open.execute(lead, planKey(world.planned({ task: { by: lead } })), { start: 'manual' }),
    ).request;
    expect(await reviewed(lead, request)).toBe(SOD);
    expect(await reviewed({ ...lead, credentialId: ada.credentialId }, request)).toBe(SOD);
    expect(await stateOf(request)).toBe('open');
    expect(world.audited.at(-1)).toMatchObject({ action: 'review.refused', decisionId: expect.any(String) as unknown });
  });

  it('not the agent’s owner, with any role', async () => {
    const { owner } = world.tenant;
    const request = await world.asked();
    world.changePerson(owner, ({ joinedAt }) => ({ roles: [{ role: 'SRELead', assignedAt: joinedAt }] }));
    expect(await reviewed({ ...owner, scopes: ['review'] }, request)).toBe(SOD);
  });

  it('not who answers for the agent since it asked', async () => {
    const request = await world.asked();
    const answerable = new Map([[world.tenant.agent.agentId, [ada.personId]]]);
    world.changeSubject(request.subject.id, () => ({ answerable }));
    // The page shows before a review the same refusal that the review then gets.
    const seen = valueOf(await world.reading.get(ada, request.id));
    expect(seen.mayReview.reasons.map(({ code }) => code)).toEqual(['review.separation_of_duties']);
    expect(await reviewed(ada, request)).toBe(SOD);
    expect(await reviewed(ben, request)).toBe('ok');
  });

  it('not the person the agent acts for, nor one who changed an earlier revision', async () => {
    const acting: AgentPrincipal = { ...world.tenant.agent, onBehalfOf: ada.personId };
    const submitter = { kind: 'person', id: ben.personId, onBehalfOf: null, credentialId: ben.credentialId } as const;
    const planId = world.planned({ task: { by: acting }, change: () => ({ otherRevisions: [submitter] }) });
    const { request } = valueOf(await world.open.execute(acting, planKey(planId), { start: 'manual' }));
    for (const by of [ada, ben]) expect(await reviewed(by, request)).toBe(SOD);
  });

  it('nor a person who shares a vote with one of them, from either side', async () => {
    const { owner } = world.tenant;
    const request = world.asked();
    world.changePerson(ada, () => cameInBy(owner.personId));
    expect(await reviewed(ada, await request)).toBe('policy.denied review.same_hand');
    world.changePerson(owner, () => cameInBy(ben.personId));
    expect(await world.review(ben, await request)).toMatchObject({
      ok: false,
      error: { reasons: [{ code: 'review.same_hand' }], action: expect.stringMatching(/vote of your own/) as unknown },
    });
  });
});

describe('T04, T07: a reviewer', () => {
  it('is a person with a role that is asked for', async () => {
    const request = await world.asked();
    for (const by of [world.person('DevOpsEngineer'), world.person(), world.person('PlatformAdmin')]) {
      expect(await reviewed(by, request)).toBe('policy.denied review.role');
      expect(codeOf(await world.review(by, request, 'reject'))).toBe('policy.denied review.role');
    }
    expect(await stateOf(request)).toBe('open');
  });

  it('is no agent and no worker, with any scopes', async () => {
    const request = await world.asked();
    const agent = { ...sampleAgent(ada), scopes: ['review'] as const };
    expect(await reviewed(agent, request)).toContain('review.not_a_person');
    const { tenantId } = world.tenant;
    expect(await reviewed({ kind: 'system', tenantId, name: 'worker' }, request)).toContain('review.not_a_person');
  });

  it('is no person who gained the role after the request opened, until the next', async () => {
    const late = world.person('DevOpsEngineer');
    const request = await world.asked();
    world.assignRole(late, 'SRELead');
    world.uow.now += 1;
    expect(await reviewed(late, request)).toBe('policy.denied review.role');
    expect(await reviewed(late, await world.asked())).toBe('ok');
  });

  it('is no person who lost the role, is disabled, or has no scope for it', async () => {
    const request = await world.asked();
    world.revokeRole(ada, 'SRELead');
    expect(await reviewed(ada, request)).toBe('policy.denied review.role');
    world.changePerson(ben, () => ({ disabled: true }));
    expect(await reviewed(ben, request)).toBe('policy.denied review.role');
    expect(await reviewed({ ...world.person('SRELead'), scopes: ['read'] }, request)).toBe(
      'policy.denied review.scope',
    );
  });

  it('is no person of another tenant', async () => {
    const request = await world.asked();
    const elsewhere = new FakeApprovalWorld();
    expect(await reviewed(elsewhere.person('SRELead'), request)).toBe('resource.not_found');
  });
});

describe('a second factor', () => {
  const operationOn = (request: ApprovalRequest, comment = ''): SteppedUpOperation => ({
    kind: 'review',
    request_id: request.id,
    verdict: 'approve',
    subject_digest: boundDigest(request.binding),
    comment,
  });
  let request: ApprovalRequest;
  beforeEach(async () => {
    world.autonomy(rules({ require_mfa: true }));
    request = await world.asked();
  });
  const prove = (by: PersonPrincipal, operation: SteppedUpOperation): string =>
    world.proofs.prove(world.tenant.tenantId, by.personId, operation);

  it('is asked for, from a person who has one', async () => {
    expect(await reviewed(ada, request)).toBe('mfa.not_enrolled mfa.required');
    world.proofs.enrol(world.tenant.tenantId, ada.personId);
    expect(await world.review(ada, request)).toMatchObject({
      ok: false,
      error: { code: 'mfa.required', details: { operation: operationOn(request), route: 'POST /v1/step-ups' } },
    });
    expect(world.audited.at(-1)).toMatchObject({ action: 'review.refused' });
    expect(await stateOf(request)).toBe('open');
  });

  it('is good for this person’s review, once', async () => {
    const proof = prove(ada, operationOn(request));
    expect(codeOf(await world.review(ben, request, 'approve', proof))).toBe('mfa.other_operation');
    const { review } = valueOf(await world.review(ada, request, 'approve', proof));
    expect(review.mfa).toEqual({ method: 'totp', provedAt: world.uow.now });
    expect(codeOf(await world.review(ada, request, 'approve', proof))).toBe('mfa.proof_used');
    expect(codeOf(await world.review(ada, request, 'approve', newId()))).toBe('mfa.required');
  });

  it('is good for nothing else', async () => {
    const other = await world.asked();
    for (const operation of [operationOn(other), operationOn(request, 'another comment')])
      expect(codeOf(await world.review(ada, request, 'approve', prove(ada, operation)))).toBe('mfa.other_operation');
    expect(codeOf(await world.review(ada, request, 'reject', prove(ada, operationOn(request))))).toBe(
      'mfa.other_operation',
    );
  });

  it('does not replace the role that policy asks for', async () => {
    const proof = prove(ada, operationOn(request));
    world.revokeRole(ada, 'SRELead');
    expect(codeOf(await world.review(ada, request, 'approve', proof))).toBe('policy.denied review.role');
  });
});

describe('a review that comes too late', () => {
  it('is refused by the clock, and the expiry is on record', async () => {
    const request = await world.asked();
    world.uow.now = request.expiresAt;
    expect(await reviewed(ada, request)).toBe('approval.expired');
    expect(await world.find(request.id)).toMatchObject({
      state: 'expired',
      closedReason: { code: 'approval.expired_undecided' },
    });
    expect(await reviewed(ada, request)).toBe('approval.expired');
    expect(world.audited.at(-1)).toMatchObject({ action: 'approval_request.expired' });
  });

  it.each<[string, (subject: PlanSubject) => Partial<PlanSubject>]>([
    ['environment', ({ environment }) => ({ environment: { ...environment, version: 2 } })],
    ['tools', ({ registry }) => ({ registry: { ...registry, tools: new Map() } })],
    [
      'executors',
      ({ registry }) => ({
        registry: {
          ...registry,
          executors: new Map(
            [...registry.executors].map(([name, executor]) => [
              name,
              { ...executor, digest: digestOf('executor', { moved: true }) },
            ]),
          ),
        },
      }),
    ],
    ['simulation', ({ plan }) => ({ simulation: simulationOf(plan, world.uow.now, 'second') })],
    ['task', ({ task }) => ({ task: { ...task, digest: digestOf('task', { other: true }) } })],
    ['plan', ({ plan }) => ({ plan: { ...plan, digest: digestOf('plan', { other: true }) } })],
  ])('T01: finds the %s changed, and the request is voided', async (member, change) => {
    const request = await world.asked();
    valueOf(await world.review(ada, request));
    world.changeSubject(request.subject.id, change);
    expect(await world.review(ben, request)).toMatchObject({
      ok: false,
      error: { code: 'approval.binding_changed', details: { changed: [{ member }] } },
    });
    expect(await world.find(request.id)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.binding_changed', details: { changed: [member] } },
    });
    expect(await reviewed(ben, request)).toBe('approval.voided');
  });

  it('is of another plan than the one shown', async () => {
    const request = await world.asked();
    const subject_digest = digestOf('plan', { other: true });
    expect(codeOf(await world.reviewing.execute(ada, request.id, { verdict: 'approve', subject_digest }))).toBe(
      'approval.digest_mismatch',
    );
    expect(await stateOf(request)).toBe('open');
  });

  const MORE = 'Policy or autonomy asks for more than when the request was opened: ';
  it.each<[string, object, string]>([
    [
      'a third approver',
      { quorum: [{ count: 3, roles: ['SRELead'] }] },
      `${MORE}it now asks for 3 of SRELead instead of 2`,
    ],
    ['another role', { allowed_approvers: ['SecurityReviewer'] }, `${MORE}it now asks for`],
    ['a second factor', { require_mfa: true }, `${MORE}a second factor is asked for now`],
    ['canary phases only', { mode: 'canary_only' }, `${MORE}no more than the canary phases may run now`],
    ['nothing at all', { mode: 'plan_only' }, 'Policy does not let this be asked for any more: '],
    [
      'a shorter life',
      { approval_valid_minutes: 30 },
      `${MORE}an approval is now good for 30 minutes instead of 4 hours`,
    ],
  ])('T06: autonomy asks for %s by now', async (_what, stricter, said) => {
    const request = await world.asked();
    world.autonomy(rules(stricter));
    expect(await world.review(ada, request)).toMatchObject({
      ok: false,
      error: {
        code: 'approval.stricter',
        message: expect.stringContaining(`The request was voided. ${said}`) as unknown,
      },
    });
    expect(await world.find(request.id)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.stricter', message: expect.stringContaining(said) as unknown },
    });
  });

  it('is not made late by an edit that does not concern it, a freeze or a halt', async () => {
    const request = await world.asked();
    world.autonomy(rules({}, { freezes: [yearEnd()] }));
    world.changeSubject(request.subject.id, () => ({ halts: [{ id: newId(), kind: 'tenant' }] }));
    for (const by of [ada, ben]) expect(await reviewed(by, request)).toBe('ok');
    expect(await stateOf(request)).toBe('approved');
  });
});

const yearEnd = () => ({
  name: 'year-end',
  time_zone: 'UTC',
  from: new Date(world.uow.now - 60 * MINUTE).toISOString().slice(0, 16),
  until: new Date(world.uow.now + 60 * MINUTE).toISOString().slice(0, 16),
});

describe('somebody who stands in', () => {
  /** Holds no role of their own. */
  let dan: PersonPrincipal;
  beforeEach(() => {
    dan = world.person();
  });
  const away = async (who: PersonPrincipal, delegate: PersonPrincipal, from: number | null = null): Promise<void> => {
    const until = (from ?? world.uow.now) + 60 * MINUTE;
    valueOf(await world.absences.begin(who, { delegateId: delegate.personId, roles: null, from, until }));
    world.uow.now += 1;
  };

  it('fills a slot with the roles of the absent person', async () => {
    await away(ada, dan);
    const request = await world.asked();
    expect(valueOf(await world.review(dan, request)).review).toMatchObject({
      delegatedBy: ada.personId,
      roles: [{ role: 'SRELead' }],
    });
    expect(world.audited.at(-1)?.payload).toMatchObject({ delegated_by: ada.personId });
    expect(await reviewed(ben, request)).toBe('ok');
    expect(await stateOf(request)).toBe('approved');
  });

  it('counts as one approver with the absent person, and with their other delegates', async () => {
    const eve = world.person();
    for (const delegate of [dan, eve]) await away(ada, delegate);
    const request = await world.asked();
    for (const by of [dan, ada, eve]) expect(await reviewed(by, request)).toBe('ok');
    expect(await stateOf(request)).toBe('open');
    expect(await reviewed(ben, request)).toBe('ok');
    expect(await stateOf(request)).toBe('approved');
  });

  it('reviews with their own roles first', async () => {
    await away(ada, ben);
    const request = await world.asked();
    expect(valueOf(await world.review(ben, request)).review.delegatedBy).toBeNull();
    valueOf(await world.review(ada, request));
    expect(await stateOf(request)).toBe('approved');
  });

  it('counts for nothing on a request from before, nor on other dates', async () => {
    const before = await world.asked();
    await away(ada, dan, world.uow.now + 30 * MINUTE);
    expect(await reviewed(dan, before)).toBe('policy.denied review.delegation');
    const early = await world.asked();
    expect(await reviewed(dan, early)).toBe('policy.denied review.delegation');
    world.uow.now += 30 * MINUTE;
    expect(await reviewed(dan, early)).toBe('ok');
    world.uow.now += 60 * MINUTE;
    expect(await reviewed(dan, await world.asked())).toBe('policy.denied review.delegation');
  });

  it('for somebody who may not review may not, either (T03)', async () => {
    const { owner } = world.tenant;
    world.changePerson(owner, ({ joinedAt }) => ({ roles: [{ role: 'SRELead', assignedAt: joinedAt }] }));
    await away(owner, dan);
    expect(await reviewed(dan, await world.asked())).toBe('policy.denied review.separation_of_duties');
  });

  it('has no more than the absent person still holds', async () => {
    await away(ada, dan);
    const request = await world.asked();
    world.revokeRole(ada, 'SRELead');
    expect(await reviewed(dan, request)).toBe('policy.denied review.role');
  });
});

describe('a start that comes by itself', () => {
  const asking = async (body: Parameters<typeof world.open.execute>[2]): Promise<ApprovalRequest> =>
    valueOf(await world.open.execute(world.tenant.agent, planKey(world.planned()), body)).request;

  it('is told with the person who gave the last approval', async () => {
    const request = await asking({ start: 'on_approval' });
    valueOf(await world.review(ada, request));
    expect(world.starts.of(world.tenant)).toEqual([]);
    const { request: after, outcome, people } = valueOf(await world.review(ben, request));
    expect([ada, ben].every(({ personId }) => people.has(personId))).toBe(true);
    expect(after).toMatchObject({ state: 'consumed', closedAt: world.uow.now });
    const approved = await world.find(request.id);
    const subject = await world.inTx((tx) => world.subjects.read(tx, ofPlan(request).subject.id));
    expect(world.starts.of(world.tenant)).toEqual([
      { request: approved, reviews: outcome.reviews, subject, people, principal: ben, at: world.uow.now },
    ]);
  });

  it('at a time is told when it is approved after it, and not before', async () => {
    const start_at = new Date(world.uow.now + 30 * MINUTE).toISOString();
    const [early, late] = [await asking({ start: 'at', start_at }), await asking({ start: 'at', start_at })];
    for (const by of [ada, ben]) valueOf(await world.review(by, early));
    expect(world.starts.of(world.tenant)).toEqual([]);
    world.uow.now += 31 * MINUTE;
    for (const by of [ada, ben]) valueOf(await world.review(by, late));
    expect(world.starts.of(world.tenant).map(({ request }) => request.id)).toEqual([late.id]);
  });

  it('is held back while a freeze refuses it', async () => {
    const until = world.uow.now + 60 * MINUTE;
    const frozen = { kind: 'conflict', code: 'freeze.active', message: 'frozen', action: 'wait' } as const;
    world.starts.refusal = { ...frozen, details: { until: new Date(until).toISOString() } };
    const request = await asking({ start: 'on_approval' });
    for (const by of [ada, ben]) valueOf(await world.review(by, request));
    expect(await world.find(request.id)).toMatchObject({ state: 'approved', startAfter: until });
  });
});

it('keeps no secret of a comment, on record or anywhere (T32)', async () => {
  const request = await world.asked();
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const comment = `Rotate ${secret} first.`;
  const { review } = valueOf(
    await world.reviewing.execute(ada, request.id, {
      verdict: 'reject',
      comment,
      subject_digest: boundDigest(request.binding),
    }),
  );
  expect(review.comment).toContain('Rotate');
  expect(JSON.stringify([review, world.audited, world.told])).not.toContain(secret);
});
