import { newId, type DecisionId, type PersonId, type ToolCallId } from '#lib/kernel';
import type { Decision } from '#lib/policy-inputs';
import {
  APPROVAL_EXPIRES_AT,
  APPROVED_AT,
  digest,
  requestIn,
  reviewBy,
} from '../../../../../test/support/approval-samples.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleSubject } from '../application/fake-subject.js';
import type { ApprovedRequest } from './approval-request.js';
import { currentBinding } from './approval-subject.js';
import { ApprovedPlan, bindingChanged, deniedByPolicy, planOutdated } from './approved-plan.js';
import type { BindingDifference } from './binding.js';
import { peopleInReviews } from './people-in-reviews.js';

// A difference is told by its member and names alone.
const differences = [
  { member: 'environment', names: [] },
  { member: 'tools', names: ['patch@1', 'restart@2'] },
] as unknown as readonly BindingDifference[];

describe('a refusal to start', () => {
  it('names the changes since the approval, and since the expansion', () => {
    expect(bindingChanged(differences)).toMatchObject({
      code: 'approval.binding_changed',
      message: 'The plan is no longer as it was approved: environment, tools (patch@1, restart@2) changed.',
      details: { changed: differences },
    });
    expect(planOutdated(differences)).toMatchObject({
      code: 'approval.plan_outdated',
      message: 'The plan was expanded before environment, tools (patch@1, restart@2) changed.',
      details: { changed: differences },
    });
  });

  it('gives the reasons of policy', () => {
    const reasons = ['one', 'two'].map((message) => ({ code: 'halt.active', message, rule: 'countersign.halt' }));
    expect(deniedByPolicy({ reasons })).toMatchObject({ code: 'policy.denied', message: 'one; two', reasons });
  });
});

describe('the authority to execute an approved plan', () => {
  const subject = sampleSubject(sampleTenant(), APPROVED_AT);
  const sample = requestIn('approved');
  if (sample.state !== 'approved') throw new Error('the request is approved');
  const request: ApprovedRequest = { ...sample, binding: currentBinding(subject) };
  const starting = (outcome: Decision['outcome']) => ({
    id: newId<DecisionId>(),
    decision: { ...request.decision, outcome },
  });
  const startOf = (from: ApprovedRequest, outcome: Decision['outcome'], now: number): string => {
    const started = ApprovedPlan.byRequest(from, subject, starting(outcome), now);
    return started.ok ? 'started' : started.error.code;
  };

  it('is given on an approved request that is in time and unchanged, if policy allows the start', () => {
    const started = ApprovedPlan.byRequest(request, subject, starting('allow'), APPROVED_AT);
    if (!started.ok) throw new Error(started.error.code);
    expect(started.value.plan).toBe(subject.plan);
    expect(started.value.requestId).toBe(request.id);
    expect(ApprovedPlan.isGenuine(started.value)).toBe(true);
    expect(ApprovedPlan.isGenuine(Object.assign({}, started.value))).toBe(false);
  });

  it('is never given on a request about a call', () => {
    const call = { type: 'tool_call', id: newId<ToolCallId>(), sessionId: null } as const;
    expect(() => startOf({ ...request, subject: call }, 'allow', APPROVED_AT)).toThrow('a request about no plan');
  });

  it('is refused once the approval is due', () => {
    expect(startOf(request, 'allow', APPROVAL_EXPIRES_AT - 1)).toBe('started');
    expect(startOf(request, 'allow', APPROVAL_EXPIRES_AT)).toBe('approval.expired');
  });

  it('is refused if the binding changed', () => {
    const changed = { ...request, binding: { ...request.binding, environment: digest('0') } };
    expect(startOf(changed, 'allow', APPROVED_AT)).toBe('approval.binding_changed');
  });

  it.each(['deny', 'require_approval'] as const)('is refused if policy answers %s', (outcome) => {
    expect(startOf(request, outcome, APPROVED_AT)).toBe('policy.denied');
  });
});

test('the people in reviews are the reviewers, the absent, and those that share votes or know them', () => {
  const [ada, ben, cyd, dov, eve] = Array.from({ length: 5 }, () => newId<PersonId>());
  if (ada === undefined || ben === undefined || cyd === undefined || dov === undefined || eve === undefined)
    throw new Error('there are five people');
  const known = [
    { by: dov, hand: null },
    { by: null, hand: eve },
  ] as never;
  const lent = reviewBy(ada, 'approve', [], { delegatedBy: ben, seat: { sharedWith: [cyd], knownBy: known } });
  expect(peopleInReviews([lent, reviewBy(cyd, 'reject')])).toEqual([ada, ben, cyd, dov, eve, cyd]);
});
