import { newId, type DecisionId, type PersonId, type ToolCallId } from '#lib/kernel';
import type { Decision } from '#lib/formats';
import {
  APPROVAL_EXPIRES_AT,
  APPROVED_AT,
  digest,
  requestIn,
  reviewBy,
} from '../../../../../test/support/approval-samples.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleCall } from '../application/fake-call.js';
import { sampleSubject } from '../application/fake-subject.js';
import type { ApprovedRequest } from './approval-request.js';
import { currentBinding, plannedBinding } from './approval-subject.js';
import { ApprovedPlan, bindingChanged, deniedByPolicy, planOutdated } from './approved-plan.js';
import { compareBindings, type BindingDifference } from './binding.js';
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

describe('the authority to execute a plan that needs no approval', () => {
  const subject = sampleSubject(sampleTenant(), APPROVED_AT);
  const deciding = (outcome: Decision['outcome'], phases: 'all' | 'canary' = 'all') => {
    const { decision } = requestIn('open');
    return {
      id: newId<DecisionId>(),
      decision: { ...decision, outcome, obligations: { ...decision.obligations, phases } },
    };
  };

  it('is given if policy allows the start, on the terms of that decision', () => {
    const start = deciding('allow');
    const started = ApprovedPlan.byPolicy(subject, start, APPROVED_AT);
    if (!started.ok) throw new Error(started.error.code);
    const { outcome, obligations, effective } = start.decision;
    expect(started.value).toMatchObject({
      basis: 'policy',
      request: null,
      requestId: null,
      binding: currentBinding(subject),
      terms: { outcome, obligations, effective },
      decisionId: start.id,
      at: APPROVED_AT,
    });
    expect(started.value.plan).toBe(subject.plan);
  });

  it('is over the phases that policy allows, or over the rest after a canary', () => {
    const phasesOf = (promotion: boolean, phases: 'all' | 'canary') => {
      const started = ApprovedPlan.byPolicy({ ...subject, promotion }, deciding('allow', phases), APPROVED_AT);
      return started.ok ? started.value.phases : started.error.code;
    };
    expect([phasesOf(false, 'all'), phasesOf(false, 'canary'), phasesOf(true, 'all')]).toEqual([
      'all',
      'canary',
      'promotion',
    ]);
  });

  it.each(['deny', 'require_approval'] as const)('is refused if policy answers %s', (outcome) => {
    expect(ApprovedPlan.byPolicy(subject, deciding(outcome), APPROVED_AT)).toMatchObject({
      error: { code: 'policy.denied' },
    });
  });

  it('is refused if a record changed from which the plan was expanded', () => {
    const changed = { ...subject, environment: { ...subject.environment, version: 2 } };
    expect(ApprovedPlan.byPolicy(changed, deciding('allow'), APPROVED_AT)).toMatchObject({
      error: { code: 'approval.plan_outdated' },
    });
  });
});

describe('the binding of a call', () => {
  const tenant = sampleTenant();
  const call = sampleCall(tenant, { revisionId: null, facts: null }, 0);

  it('is of its digest, its environment and its tool, as it was asked for', () => {
    const { digest: asked, tool, environmentDigest } = call.call;
    expect(plannedBinding(call)).toEqual({
      subject: { tool_call: asked },
      environment: environmentDigest,
      tools: { [`${tool.name}@1`]: tool.digest },
      executors: {},
    });
    expect(currentBinding(call)).toEqual(plannedBinding(call));
  });

  it('is another one once the environment or the tool changed', () => {
    const members = (changed: Partial<typeof call>) =>
      compareBindings(plannedBinding(call), currentBinding({ ...call, ...changed })).map(({ member }) => member);
    expect(members({ environment: { ...call.environment, version: 2 } })).toEqual(['environment']);
    expect(members({ registry: { ...call.registry, tools: new Map() } })).toEqual(['tools']);
  });

  it('of a plan without a prediction names none', () => {
    const { subject } = plannedBinding({ ...sampleSubject(tenant, 0), simulation: null });
    expect(subject).toMatchObject({ simulation: null });
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
  const delegated = reviewBy(ada, 'approve', [], { delegatedBy: ben, seat: { sharedWith: [cyd], knownBy: known } });
  expect(peopleInReviews([delegated, reviewBy(cyd, 'reject')])).toEqual([ada, ben, cyd, dov, eve, cyd]);
});
