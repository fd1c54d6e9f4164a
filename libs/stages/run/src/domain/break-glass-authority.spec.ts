import { newId, type DecisionId, type IncidentId } from '#lib/kernel';
import type { PlanSubject } from '#lib/approval';
import type { Decision } from '#lib/formats';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleSubject, simulationOf } from '../../../approval/src/application/fake-subject.js';
import { BreakGlassAuthority } from './break-glass-authority.js';

const NOW = Date.UTC(2026, 0, 15, 9);
const INCIDENT = newId<IncidentId>();
const subject = sampleSubject(sampleTenant(), NOW);

const decided = (outcome: Decision['outcome']) => ({
  id: newId<DecisionId>(),
  decision: {
    outcome,
    reasons: ['one', 'two'].map((message) => ({ code: 'break_glass.role', message, rule: 'countersign.break_glass' })),
    obligations: { approvals: [], mfa: true, phases: 'canary', audit_level: 'critical', valid_minutes: 60 },
    effective: { mode: 'plan_only', source: 'default' },
  } satisfies Decision,
});

const authorityOver = (more: Partial<PlanSubject> = {}): BreakGlassAuthority => {
  const made = BreakGlassAuthority.byDecision({ ...subject, ...more }, decided('allow'), INCIDENT, NOW);
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
};

const refusalOf = (more: Partial<PlanSubject>, outcome: Decision['outcome'] = 'allow') => {
  const made = BreakGlassAuthority.byDecision({ ...subject, ...more }, decided(outcome), INCIDENT, NOW);
  return made.ok ? null : made.error;
};

describe('the authority of a break-glass', () => {
  it('is over exactly the plan that policy allowed, on the terms of that decision', () => {
    const { id, decision } = decided('allow');
    const made = BreakGlassAuthority.byDecision(subject, { id, decision }, INCIDENT, NOW);
    if (!made.ok) throw new Error(made.error.code);
    expect(made.value.plan).toBe(subject.plan);
    expect(made.value).toMatchObject({ incidentId: INCIDENT, decisionId: id, at: NOW });
    const { outcome, obligations, effective } = decision;
    expect(made.value.terms).toEqual({ outcome, obligations, effective });
  });

  it('refuses an object of the same shape', () => {
    const authority = authorityOver();
    expect(BreakGlassAuthority.isGenuine(authority)).toBe(true);
    expect(BreakGlassAuthority.isGenuine(Object.assign({}, authority))).toBe(false);
  });

  it.each(['deny', 'require_approval'] as const)('is refused if policy answers %s, with its reasons', (outcome) => {
    const { reasons } = decided(outcome).decision;
    expect(refusalOf({}, outcome)).toMatchObject({ code: 'policy.denied', message: 'one; two', reasons });
  });

  it('is refused for a plan that is not live', () => {
    expect(refusalOf({ plan: { ...subject.plan, state: 'superseded' } })).toMatchObject({
      code: 'break_glass.plan_not_live',
      details: { plan_state: 'superseded', task_state: 'planned' },
    });
  });

  it('is refused for a task that is not planned', () => {
    expect(refusalOf({ task: { ...subject.task, state: 'executing' } })).toMatchObject({
      code: 'break_glass.plan_not_live',
      details: { plan_state: 'validated', task_state: 'executing' },
    });
  });

  it('is refused if a record changed from which the plan was expanded', () => {
    expect(refusalOf({ registry: { ...subject.registry, executors: new Map() } })).toMatchObject({
      code: 'approval.plan_outdated',
      details: { changed: [{ member: 'executors', names: ['fleet'] }] },
    });
  });

  it('names the prediction that the outcome is compared with, if it has a result', () => {
    const simulation = simulationOf(subject.plan, NOW);
    expect(authorityOver({ simulation }).simulationId).toBe(simulation.id);
    expect(authorityOver({ simulation: { ...simulation, digest: null } }).simulationId).toBeNull();
    expect(authorityOver({ simulation: null }).simulationId).toBeNull();
  });

  it('is over all phases, or over the rest after a canary', () => {
    expect(authorityOver().phases).toBe('all');
    expect(authorityOver({ promotion: true }).phases).toBe('promotion');
  });
});
