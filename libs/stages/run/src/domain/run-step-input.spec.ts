import type { ApprovedTerms } from '#lib/formats';
import type { HaltFacts } from '#lib/policy-inputs';
import { newId, type IncidentId, type RunId } from '#lib/kernel';
import { currentBinding, type PlanSubject } from '#lib/approval';
import { digest } from '../../../../../test/support/approval-samples.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { autonomyOf, sampleSubject, simulationOf } from '../../../approval/src/application/fake-subject.js';
import { succeededStep } from './fake-run-plan.js';
import { runStepInput } from './run-step-input.js';
import type { Run } from './run.js';

const NOW = Date.UTC(2026, 0, 15, 9);
const tenant = sampleTenant();
const subject = sampleSubject(tenant, NOW);
const { simulation: approved } = subject;
if (approved === null) throw new Error('the sample has a prediction');
const TERMS = { outcome: 'allow' } as ApprovedTerms;
const TOOL = { tool: { name: 'execute_rollout_prod', version: 1 }, shell: null };

const runOf = (more: Partial<Run> = {}): Run =>
  ({
    id: newId<RunId>(),
    state: 'executing',
    phases: 'all',
    planDigest: subject.plan.digest,
    simulationId: approved.id,
    authority: { kind: 'policy' },
    approvedTerms: TERMS,
    ...more,
  }) as Run;

/** The input for the first call of the plan, approved as in the sample, with these records in force now. */
const inputOf = (now: PlanSubject, run = runOf(), purpose: 'call' | 'compensation' = 'call', more: object = {}) =>
  runStepInput(
    {
      tenantId: tenant.tenantId,
      now: NOW,
      subject: now,
      starterRoles: ['SRELead'],
      approval: null,
      binding: currentBinding(subject),
      halts: [],
      ...more,
    },
    run,
    succeededStep(),
    purpose,
    TOOL,
  );

const UNCHANGED = { task: true, environment: true, plan: true, tools: true, executors: true, simulation: true };

describe('the question before a step', () => {
  it('says that every record is as it was approved, if none has changed', () => {
    expect(inputOf(subject).bindings).toEqual(UNCHANGED);
  });

  it.each<[keyof typeof UNCHANGED, Partial<PlanSubject>]>([
    ['task', { task: { ...subject.task, digest: digest('9') } }],
    ['environment', { environment: { ...subject.environment, version: 2 } }],
    ['plan', { plan: { ...subject.plan, digest: digest('9') } }],
    ['tools', { registry: { ...subject.registry, tools: new Map() } }],
    ['executors', { registry: { ...subject.registry, executors: new Map() } }],
    ['simulation', { simulation: { ...approved, digest: digest('9') } }],
  ])('says that the %s changed', (member, change) => {
    expect(inputOf({ ...subject, ...change }).bindings).toEqual({ ...UNCHANGED, [member]: false });
  });

  it('says that the plan changed if its content has another digest than the run, whatever digest is stored', () => {
    const [canary] = subject.plan.expanded.phases;
    if (canary === undefined) throw new Error('the sample has a canary phase');
    const expanded = { ...subject.plan.expanded, phases: [canary] };
    expect(inputOf({ ...subject, plan: { ...subject.plan, expanded } }).bindings.plan).toBe(false);
    expect(inputOf(subject, runOf({ planDigest: digest('9') })).bindings.plan).toBe(false);
  });

  it('does not count a newer prediction as a change of the one that was approved', () => {
    const simulation = simulationOf(subject.plan, NOW, 'newer');
    expect(inputOf({ ...subject, simulation }).bindings.simulation).toBe(true);
    expect(inputOf({ ...subject, simulation: null }).bindings.simulation).toBe(true);
  });

  it('names the call and the terms of its run', () => {
    const run = runOf();
    expect(inputOf(subject, run)).toMatchObject({
      now: NOW,
      tenant_id: tenant.tenantId,
      actor: { kind: 'system', id: 'run-executor', scopes: [] },
      run: { id: run.id, state: 'executing', scope: 'all' },
      step: { seq: 1, tool: 'execute_rollout_prod@1', phase_index: 0, kind: 'call', shell: null },
      approved: TERMS,
      approval: null,
      freeze: { active: [], starter_roles: ['SRELead'] },
      halts: [],
    });
    expect(inputOf(subject, run).environment).toEqual(subject.environment);
    expect(inputOf(subject, run).tools).toEqual(subject.facts.tools);
    expect(inputOf(subject, run, 'compensation').step.kind).toBe('compensation');
  });

  it.each([
    ['canary', 'canary'],
    ['promotion', 'all'],
  ] as const)('has the scope of a run of phases %s', (phases, scope) => {
    expect(inputOf(subject, runOf({ phases })).run.scope).toBe(scope);
  });

  it.each([
    [null, { enabled: false, allowed_roles: [] }],
    [{ enabled: false }, { enabled: false, allowed_roles: [] }],
    [
      { enabled: true, allowed_roles: ['PlatformAdmin'] },
      { enabled: true, allowed_roles: ['PlatformAdmin'] },
    ],
  ])('says whether a document has break-glass on for the roles of its invoker: %j', (emergencyOverride, facts) => {
    const now = { ...subject, autonomy: { ...subject.autonomy, emergencyOverride } };
    expect(
      inputOf(now, runOf({ authority: { kind: 'break_glass', incidentId: newId<IncidentId>() } })).break_glass,
    ).toEqual({ ...facts, invoker_roles: ['SRELead'] });
    expect(inputOf(now).break_glass).toBeNull();
  });

  it('has the freezes and the halts in force now', () => {
    // They are passed on, and no member is read.
    const halts = [{ id: 'halt' }] as unknown as HaltFacts[];
    const freezes = [
      { name: 'new year', from: '2026-01-01 00:00', until: '2026-02-01 00:00', time_zone: 'UTC', reason: 'rest' },
    ];
    const autonomy = autonomyOf({ freezes } as never);
    const input = inputOf({ ...subject, autonomy }, runOf(), 'call', { halts });
    expect(input.freeze.active).toMatchObject([{ name: 'new year' }]);
    expect(input.halts).toEqual(halts);
    expect(input.autonomy).toBe(autonomy.facts);
  });
});
