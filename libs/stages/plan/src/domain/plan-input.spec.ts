import { digestOf, newId, type EnvironmentId, type TaskId, type TenantId } from '#lib/kernel';
import { taskFacts } from './plan-facts.js';
import { BEFORE_APPROVAL, planInput } from './plan-input.js';

const spec = { goal: 'roll out', environment: 'production', timeout_minutes: 30 } as const;
const environment = { id: newId<EnvironmentId>(), name: 'production', production: true, version: 2 };
// Records of the database may have further members, which no policy knows.
const stored = { ...environment, createdAt: 1 };
const facts = { plan: { id: newId(), digest: digestOf('plan', {}), phases: [] }, tools: {} };
const question: Parameters<typeof planInput>[0] = {
  stage: 'validate',
  tenantId: newId<TenantId>(),
  now: 7,
  actor: { kind: 'system', id: 'test', scopes: [] },
  task: taskFacts({ id: newId<TaskId>(), spec: spec as never }),
  environment: stored,
  facts,
  autonomy: null,
  halts: [{ id: newId(), kind: 'tenant' }],
};

/** The members that are the same at each stage. */
const shared = {
  now: 7,
  tenant_id: question.tenantId,
  autonomy: null,
  actor: question.actor,
  task: question.task,
  environment,
  tools: facts.tools,
  plan: facts.plan,
  halts: question.halts,
};

it('asks about a plan without an approval before its request', () => {
  expect(planInput(question, BEFORE_APPROVAL)).toEqual({
    ...shared,
    stage: 'validate',
    simulation: null,
    approval: null,
    approved: null,
    promotion: false,
    freeze: { active: [], starter_roles: [] },
  });
});

it('has the members of the approval from its request on', () => {
  const ofApproval = {
    simulation: { id: newId(), digest_matches: true, state: 'succeeded', age_seconds: 3 },
    approval: { id: newId(), state: 'approved', expires_at: 9, reviewers: [] },
    approved: null,
    promotion: true,
    freeze: { active: [], starter_roles: ['SRELead'] },
  } as const;
  expect(planInput({ ...question, stage: 'execute' }, ofApproval as never)).toEqual({
    ...shared,
    stage: 'execute',
    ...ofApproval,
  });
});
