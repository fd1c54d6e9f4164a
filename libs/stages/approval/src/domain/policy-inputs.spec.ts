import { newId, type PersonId, type Principal, type TenantId } from '#lib/kernel';
import { APPROVAL_EXPIRES_AT, EXPIRES_AT, requestIn } from '../../../../../test/support/approval-samples.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { autonomyOf, sampleSubject } from '../application/fake-subject.js';
import type { PlanSubject } from './approval-subject.js';
import { approvalFacts, excludedFacts, reviewInput, subjectInput, termsOf } from './policy-inputs.js';
import { NO_CREDENTIAL, readerOf } from './reader-of.js';
import { levelOfRank, rankOfLevel } from './request-risk.js';

const [ada, ben] = [newId<PersonId>(), newId<PersonId>()];

test('policy input names the person with whom an excluded person shares a vote', () => {
  expect(excludedFacts({ personId: ada, why: 'owner' })).toStrictEqual({ person_id: ada, why: 'owner' });
  expect(excludedFacts({ personId: ada, why: 'same_hand', sharesWith: ben })).toEqual({
    person_id: ada,
    why: 'same_hand',
    shares_with: ben,
  });
});

test.each([
  ['open', EXPIRES_AT],
  ['approved', APPROVAL_EXPIRES_AT],
  ['consumed', APPROVAL_EXPIRES_AT],
  ['denied', EXPIRES_AT],
] as const)('policy is told when a request that is %s expires', (state, expires) => {
  const request = requestIn(state);
  expect(approvalFacts(request, [])).toEqual({ id: request.id, state, expires_at: expires, reviewers: [] });
});

describe('the question about a plan', () => {
  const NOW = Date.UTC(2026, 0, 15, 9);
  const tenant = sampleTenant();
  const freezes = [
    { name: 'new year', from: '2026-01-01 00:00', until: '2026-02-01 00:00', time_zone: 'UTC', reason: 'rest' },
  ];
  const subject = { ...sampleSubject(tenant, NOW), autonomy: autonomyOf({ freezes } as never) };
  const asked = (stage: 'request' | 'execute', more: Partial<PlanSubject> = {}) =>
    subjectInput(
      { ...subject, ...more },
      {
        tenantId: tenant.tenantId,
        now: NOW,
        stage,
        actor: { kind: 'system', id: 'test', scopes: [] },
        approval: null,
        starterRoles: ['SRELead'],
        approved: null,
      },
    );
  const { simulation } = subject;
  if (simulation === null) throw new Error('the sample has a prediction');

  it('is about the plan, its environment and its tools, with the halts that apply', () => {
    // They are passed on, and no member is read.
    const halts = [{ id: 'halt' }] as unknown as PlanSubject['halts'];
    const input = asked('request', { halts });
    expect(input).toMatchObject({ now: NOW, stage: 'request', promotion: false, approval: null, approved: null });
    expect(input.environment).toEqual(subject.environment);
    expect(input.tools).toEqual(subject.facts.tools);
    expect(input.plan).toEqual(subject.facts.plan);
    expect(input.task).toEqual(subject.facts.task);
    expect(input.halts).toEqual(halts);
    expect(input.autonomy).toBe(subject.autonomy.facts);
  });

  it('has the freezes in force if it is about a start alone', () => {
    expect(asked('execute').freeze).toMatchObject({ active: [{ name: 'new year' }], starter_roles: ['SRELead'] });
    expect(asked('request').freeze).toEqual({ active: [], starter_roles: [] });
  });

  it('says whether the prediction is of exactly this plan', () => {
    expect(asked('request').simulation).toMatchObject({ id: simulation.id, digest_matches: true, state: 'succeeded' });
    const other = { ...simulation, planDigest: 'sha256:0' };
    expect(asked('request', { simulation: other }).simulation).toMatchObject({ digest_matches: false });
    expect(asked('request', { simulation: null }).simulation).toBeNull();
  });

  it.each([
    [NOW - 61_999, 61],
    [NOW + 5_000, 0],
    [null, 0],
  ])('has the age of the prediction in whole seconds: finished at %j', (finishedAt, age) => {
    expect(asked('request', { simulation: { ...simulation, finishedAt } }).simulation).toMatchObject({
      age_seconds: age,
    });
  });
});

test('policy is told of a review, the request, the reviewer and the delegation', () => {
  const { owner, agent, tenantId } = sampleTenant();
  const request = requestIn('open');
  const question = {
    tenantId,
    autonomy: null,
    now: 7,
    verdict: 'approve',
    principal: owner,
    reviewing: {
      roles: [{ role: 'SRELead', assignedAt: 5 }],
      delegation: { personId: ben, roles: [], madeAt: 1, from: 2, until: 3 },
    },
    joinedAt: 4,
    excluded: [{ personId: ada, why: 'owner' }],
    digestsMatch: true,
    mfaProved: true,
  } as const;
  const input = reviewInput(request, question);
  expect(input).toMatchObject({ now: 7, tenant_id: tenantId, verdict: 'approve' });
  expect(input.request).toEqual({
    id: request.id,
    subject: 'plan',
    state: 'open',
    opened_at: request.openedAt,
    expires_at: request.expiresAt,
    requester: { kind: 'agent', id: request.requester.id },
    excluded: [{ person_id: ada, why: 'owner' }],
    obligations: request.decision.obligations,
    effective: request.decision.effective,
    digests_match: true,
  });
  expect(input.reviewer).toMatchObject({
    kind: 'person',
    id: owner.personId,
    roles: [{ role: 'SRELead', assigned_at: 5 }],
    joined_at: 4,
    delegation: { person_id: ben, made_at: 1, from: 2, until: 3 },
    mfa: { proved: true },
  });
  const own = { ...question, principal: agent, reviewing: { roles: [], delegation: null } };
  expect(reviewInput(request, own).reviewer).toMatchObject({ kind: 'agent', via: 'token', delegation: null });
});

test('the terms of an approval are the outcome, obligations and effective mode of its decision', () => {
  const { decision } = requestIn('open');
  const { outcome, obligations, effective } = decision;
  expect(termsOf(decision)).toEqual({ outcome, obligations, effective });
});

test.each<[string, Partial<Principal>, string]>([
  ['a browser', { credentialKind: 'browser_session' }, 'browser'],
  ['Slack', { credentialKind: 'slack_link' }, 'slack'],
  ['a token', { credentialKind: 'person_token' }, 'token'],
  ['a token of the issuer', { credentialKind: 'issuer_token' }, 'token'],
])('policy is told of a review in %s (T55)', (_title, more, via) => {
  const { owner, tenantId } = sampleTenant();
  const { reviewer } = reviewInput(requestIn('open'), {
    tenantId,
    autonomy: null,
    now: 0,
    verdict: 'approve',
    principal: { ...owner, ...more } as Principal,
    reviewing: { roles: [], delegation: null },
    joinedAt: null,
    excluded: [],
    digestsMatch: true,
    mfaProved: false,
  });
  expect(reviewer.via).toBe(via);
});

test('a person who is only asked about holds one scope and no role', () => {
  const tenantId = newId<TenantId>();
  expect(readerOf(tenantId, ada, 'read')).toEqual({
    kind: 'person',
    tenantId,
    personId: ada,
    displayName: '',
    roles: [],
    credentialId: NO_CREDENTIAL,
    credentialKind: 'browser_session',
    scopes: ['read'],
    signedInAt: null,
  });
});

test('a rank and its level are one, and an unknown rank is critical', () => {
  for (const [rank, level] of (['low', 'medium', 'high', 'critical'] as const).entries()) {
    expect(rankOfLevel(level)).toBe(rank);
    expect(levelOfRank(rank)).toBe(level);
  }
  expect(levelOfRank(9)).toBe('critical');
});
