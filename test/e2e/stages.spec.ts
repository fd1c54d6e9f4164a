import { v7 } from 'uuid';
import type { SimulationId } from '#lib/kernel';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { autonomyDocument, equippedTenant, predictingToolServer } from '../support/equipped-tenant.js';
import { rolloutPlan, taskSpec } from '../support/stages.js';

let api: TestApi;
let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let otherAgent: HttpAs;
let delegated: HttpAs;
let delegator: string;

beforeAll(async () => {
  fleet = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`] } });
  ({ tenant, admin } = await equippedTenant(api, fleet.port));
  const owner = await api.person(tenant, 'DevOpsEngineer');
  await api.person(tenant, 'SRELead');
  await api.person(tenant, 'SRELead');
  const made = await api.agent(tenant, owner);
  agent = api.http(made.token);
  otherAgent = api.http((await api.agent(tenant, owner)).token);
  const person = await api.person(tenant, 'DevOpsEngineer');
  delegator = person.id;
  delegated = api.http(await api.delegation(made, person, 'read', 'submit'));
  const put = await admin.put('/v1/autonomy', autonomyDocument(false));
  if (put.status >= 300) throw new Error(put.text);
}, 120_000);
afterAll(async () => {
  await api.close();
  await fleet.close();
});

const newTask = async (as: HttpAs = agent): Promise<string> =>
  expectStatus(await as.post('/v1/tasks', taskSpec()), 201).body.id as string;
const newPlan = async (taskId: string, image?: string): Promise<{ id: string; digest: string }> =>
  expectStatus(await agent.post(`/v1/tasks/${taskId}/plans`, rolloutPlan(image)), 201).body as {
    id: string;
    digest: string;
  };

describe('tasks over HTTP', () => {
  it('are created once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': v7() };
    const first = expectStatus(await agent.post('/v1/tasks', taskSpec(), headers), 201);
    const again = expectStatus(await agent.post('/v1/tasks', taskSpec(), headers), 201);
    expect(again.text).toBe(first.text);
    expect(first.body).toMatchObject({ state: 'created', submitted_by: { kind: 'agent', on_behalf_of: null } });
  });

  it('take their delegator from the delegation alone', async () => {
    const task = expectStatus(await delegated.get(`/v1/tasks/${await newTask(delegated)}`), 200).body;
    expect(task.submitted_by).toMatchObject({ kind: 'agent', on_behalf_of: delegator });
    const claimed = await agent.post('/v1/tasks', { ...taskSpec(), on_behalf_of: delegator });
    expect(claimed).toMatchObject({ status: 422, body: { errors: [{ pointer: '/on_behalf_of' }] } });
  });

  it('are read only by members of the tenant, and changed only by their submitter', async () => {
    const id = await newTask();
    expectStatus(await otherAgent.get(`/v1/tasks/${id}`), 200);
    expect(await otherAgent.post(`/v1/tasks/${id}/cancel`)).toMatchObject({
      status: 403,
      body: { code: 'task.not_yours' },
    });
    const stranger = api.http((await api.tenant()).admin.token);
    const [theirs, never] = [await stranger.get(`/v1/tasks/${id}`), await stranger.get(`/v1/tasks/${v7()}`)];
    expect([theirs.status, theirs.body.code, theirs.body.detail]).toEqual([404, never.body.code, never.body.detail]);
    expect(expectStatus(await agent.post(`/v1/tasks/${id}/cancel`), 200).body.state).toBe('cancelled');
  });

  it('are listed page by page, each once', async () => {
    const made = [await newTask(), await newTask(), await newTask()];
    const seen: string[] = [];
    let path = '/v1/tasks?limit=2';
    for (let pages = 0; pages < 50; pages += 1) {
      const page = expectStatus(await agent.get(path), 200).body as {
        items: { id: string }[];
        next_cursor: string | null;
      };
      seen.push(...page.items.map(({ id }) => id));
      if (page.next_cursor === null) break;
      path = `/v1/tasks?limit=2&cursor=${page.next_cursor}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 3)).toEqual(made.reverse());
    expect(await agent.get('/v1/tasks?limit=many')).toMatchObject({
      status: 422,
      body: { code: 'request.query_invalid', errors: [{ pointer: '/limit', message: 'must be a number' }] },
    });
  });
});

describe('plans over HTTP', () => {
  it('show their calls, their status, and its reason', async () => {
    const { id } = await newPlan(await newTask());
    const plan = expectStatus(await otherAgent.get(`/v1/plans/${id}`), 200).body;
    expect(plan).toMatchObject({
      revision: 1,
      state: 'validated',
      status: 'validated',
      errors: [],
      explanation: { decision: { outcome: 'allow', effective: { mode: 'full_auto' } } },
    });
    expect(plan.explanation.decision.effective.source).toContain('production');
    expect(plan.explanation.autonomy_line).toEqual({ revision: 1, line: 5, column: 13 });
    expect(plan.expanded.distinct_targets).toHaveLength(47);
  });

  it('keep the line of the revision that they were decided by', async () => {
    const taskId = await newTask();
    expect(expectStatus(await agent.get(`/v1/tasks/${taskId}`), 200).body.explanation).toBeNull();
    const { id } = await newPlan(taskId);
    const etag = (await admin.get('/v1/autonomy')).headers.etag ?? '';
    expectStatus(
      await admin.put('/v1/autonomy', `# Two lines\n# further down\n${autonomyDocument(false)}`, { 'if-match': etag }),
      200,
    );
    const before = expectStatus(await agent.get(`/v1/plans/${id}`), 200).body.explanation;
    expect(before.autonomy_line).toEqual({ revision: 1, line: 5, column: 13 });
    expect(expectStatus(await agent.get(`/v1/tasks/${taskId}`), 200).body.explanation).toEqual(before);
    const later = await newPlan(await newTask());
    expect(expectStatus(await agent.get(`/v1/plans/${later.id}`), 200).body.explanation.autonomy_line).toEqual({
      revision: 2,
      line: 7,
      column: 13,
    });
  });

  it('that are wrong are answered with every error by step', async () => {
    const taskId = await newTask();
    const document = rolloutPlan();
    const wrong = {
      ...document,
      phases: document.phases.map((phase) => ({
        ...phase,
        steps: phase.steps.map((step) => ({ ...step, arguments: { targets: { $batch: 'targets' }, imagee: 'x' } })),
      })),
    };
    const refused = await agent.post(`/v1/tasks/${taskId}/plans`, wrong);
    expect(refused).toMatchObject({ status: 422, body: { code: 'plan.invalid' } });
    expect(refused.body.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          pointer: '/phases/0/steps/0/arguments/imagee',
          code: 'tool.argument_unknown',
          suggestion: 'image',
        }),
      ]),
    );
    expect(expectStatus(await agent.get(`/v1/tasks/${taskId}`), 200).body.state).toBe('created');
    const [kept] = expectStatus(await agent.get(`/v1/tasks/${taskId}/plans`), 200).body.items as {
      id: string;
      status: string;
    }[];
    expect(kept).toMatchObject({ id: refused.body.details.plan_id, status: 'invalid' });
  });

  it('show the changes of a revision, in the document and in the calls', async () => {
    const taskId = await newTask();
    const first = await newPlan(taskId);
    const second = await newPlan(taskId, 'web-2026-12');
    const diff = expectStatus(await agent.get(`/v1/plans/${second.id}/diff?against=${first.id}`), 200).body;
    expect(diff).toMatchObject({
      before: { revision: 1, digest: first.digest },
      after: { revision: 2, digest: second.digest },
      targets: { added: [], removed: [] },
    });
    expect(diff.document).toEqual(
      [0, 1, 2].map((phase) => ({
        pointer: `/phases/${String(phase)}/steps/0/arguments/image`,
        kind: 'changed',
        before: 'web-2026-11',
        after: 'web-2026-12',
      })),
    );
    expect(diff.calls).toHaveLength(6);
    expect(diff.calls[0]).toMatchObject({
      kind: 'changed',
      phase: 'canary',
      seq_before: 1,
      seq_after: 1,
      changes: [{ pointer: '/arguments/image' }],
    });
    const other = await newPlan(await newTask());
    expect(await agent.get(`/v1/plans/${second.id}/diff?against=${other.id}`)).toMatchObject({
      status: 422,
      body: { code: 'plan.other_task' },
    });
    expect(expectStatus(await agent.get(`/v1/plans/${first.id}`), 200).body.status).toBe('superseded');
  });

  it('void the approval that was asked for the revision before', async () => {
    const taskId = await newTask();
    const first = await newPlan(taskId);
    await simulated(first.id);
    const request = expectStatus(await agent.post(`/v1/plans/${first.id}/approval-requests`, {}), 201).body as {
      id: string;
    };
    expect(expectStatus(await agent.get(`/v1/plans/${first.id}`), 200).body.status).toBe('awaiting_approval');
    await newPlan(taskId, 'web-2026-12');
    expect(expectStatus(await agent.get(`/v1/approval-requests/${request.id}`), 200).body.state).toBe('voided');
  });

  it('are withdrawn, and then cannot be simulated', async () => {
    const { id } = await newPlan(await newTask());
    expect(expectStatus(await agent.post(`/v1/plans/${id}/withdraw`), 200).body).toMatchObject({
      state: 'withdrawn',
      status: 'withdrawn',
    });
    expect(await agent.post(`/v1/plans/${id}/simulations`)).toMatchObject({
      status: 409,
      body: { code: 'simulation.plan_not_live' },
    });
  });
});

const simulated = async (planId: string): Promise<string> => {
  const asked = expectStatus(await agent.post(`/v1/plans/${planId}/simulations`), 202).body as { id: string };
  await api.installation.simulation.executeSimulation.execute(tenant.id, asked.id as SimulationId);
  return asked.id;
};

describe('simulations over HTTP', () => {
  it('are asked for, computed by the tenant’s tools, and read with the decision behind them', async () => {
    const { id, digest } = await newPlan(await newTask());
    const simulationId = await simulated(id);
    const simulation = expectStatus(await agent.get(`/v1/simulations/${simulationId}`), 200).body;
    expect(simulation).toMatchObject({
      state: 'succeeded',
      plan_digest: digest,
      failure: null,
      result: { affected_assets: 47, predicted_risk: 'medium' },
      explanation: { decision: { outcome: 'allow' } },
    });
    expect(expectStatus(await agent.get(`/v1/plans/${id}/simulations`), 200).body.items).toHaveLength(1);
    expect(expectStatus(await agent.get(`/v1/plans/${id}`), 200).body.status).toBe('simulated');
    expect(expectStatus(await agent.get('/v1/plans?status=simulated'), 200).body.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ id })]),
    );
  });

  it('have their accuracy read by tool', async () => {
    expect(expectStatus(await agent.get('/v1/simulations/accuracy'), 200).body).toEqual({ tools: [] });
  });
});
