import { sqlOf } from '#lib/database';
import { TASK_TRANSITIONS } from '#lib/task';
import { PLAN_TRANSITIONS } from '#lib/plan';
import { SIMULATION_TRANSITIONS } from '#lib/simulation';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { makeStages, noTask, rolloutPlan, servers, type Stages, taskSpec } from '../support/stages.js';

let db: TestDatabase;
let stages: Stages;

beforeAll(async () => {
  db = await testDatabase();
  stages = await makeStages(db);
});
afterAll(() => db.close());

const actions = (): string[] => stages.audited.map((event) => event.action);
const statusOf = async (id: Awaited<ReturnType<Stages['planned']>>): Promise<string> => {
  const found = await stages.getPlan.execute(stages.agent, id);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.status;
};

describe('lifecycle tables', () => {
  it.each([
    ['task_transition', TASK_TRANSITIONS],
    ['plan_transition', PLAN_TRANSITIONS],
    ['simulation_transition', SIMULATION_TRANSITIONS],
  ])('%s holds exactly the rows that the code holds', async (table, transitions) => {
    const { rows } = await db.owner.query<{ from: string; event: string; to: string }>(
      `select from_state as from, event, to_state as to from ${table}`,
    );
    const key = (row: { from: string; event: string; to: string }): string => `${row.from} ${row.event} ${row.to}`;
    expect(rows.map(key).sort()).toEqual(transitions.map(key).sort());
  });
});

describe("T32: secrets in an agent's own words", () => {
  const secret = `cs_p_${'a'.repeat(40)}`;

  it('are masked in the goal before it is stored and digested', async () => {
    const task = await stages.task({ goal: `use ${secret} and password=hunter2` });
    expect(task.spec.goal).toBe('use [masked] and password=[masked]');
    expect(task.specText).not.toMatch(/hunter2|aaaa/);
  });

  it('are masked in the summary of a plan', async () => {
    const task = await stages.task();
    const submitted = await stages.submitPlan.execute(stages.agent, task.id, { ...rolloutPlan(), summary: secret });
    if (!submitted.ok) throw new Error(submitted.error.message);
    expect(submitted.value.plan.document.summary).toBe('[masked]');
  });
});

describe('tasks', () => {
  it('are taken in, read, listed newest first and page by page', async () => {
    const first = await stages.task({ goal: 'first' });
    const second = await stages.task({ goal: 'second' });
    expect(await stages.getTask.execute(stages.otherAgent, first.id)).toEqual({ ok: true, value: first });
    const page = await stages.listTasks.execute(
      stages.agent,
      { state: 'created', environment: 'production' },
      { limit: 1, after: null },
    );
    expect(page.map((task) => task.id)).toEqual([second.id]);
    const next = await stages.listTasks.execute(
      stages.agent,
      {},
      { limit: 1, after: { at: second.createdAt, id: second.id } },
    );
    expect(next.map((task) => task.id)).toEqual([first.id]);
    expect(await stages.listTasks.execute(stages.agent, { environment: 'nowhere' }, { limit: 5, after: null })).toEqual(
      [],
    );
  });

  it.each([
    [{ environment: 'nowhere' }, 'task.unknown_environment'],
    [{ constraints: { rollback_trigger: 'web.error_rate >' } }, 'task.bad_rollback_trigger'],
  ])('with %j are refused: %s', async (overrides, code) => {
    expect(await stages.createTask.execute(stages.agent, taskSpec(overrides))).toMatchObject({
      ok: false,
      error: { code },
    });
  });

  it('are cancelled by those who may, with their live plan', async () => {
    const told = jest.spyOn(stages.wired.approval.voidRequests, 'planSuperseded');
    const task = await stages.task();
    const planId = await stages.planned(task);
    for (const nobody of [stages.otherAgent, stages.stranger]) {
      expect(await stages.cancelTask.execute(nobody, task.id)).toMatchObject({ error: { code: 'task.not_yours' } });
    }
    expect(await stages.cancelTask.execute(stages.owner, task.id)).toMatchObject({
      ok: true,
      value: { state: 'cancelled' },
    });
    expect(await statusOf(planId)).toBe('withdrawn');
    expect(told).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.objectContaining({ planId, cause: 'task_cancelled', supersededBy: null }),
    );
    expect(await stages.cancelTask.execute(stages.admin, task.id)).toMatchObject({
      error: { code: 'task.illegal_transition' },
    });
    expect(await stages.cancelTask.execute(stages.admin, noTask())).toMatchObject({
      error: { code: 'resource.not_found' },
    });
  });

  it('that are executing are cancelled through their run', async () => {
    const task = await stages.task();
    const planId = await stages.planned(task);
    await stages.inTenant(async (tx) => {
      const locked = await stages.tasks.lock(tx, task.id);
      if (locked === undefined) throw new Error('gone');
      return stages.lifecycle.transition(tx, locked, 'start', { principal: stages.agent, at: await tx.now() });
    });
    expect(await stages.cancelTask.execute(stages.agent, task.id)).toMatchObject({
      error: { code: 'task.executing', action: expect.stringContaining('cancel the task once it has ended') as string },
    });
    expect(await stages.withdrawPlan.execute(stages.agent, planId)).toMatchObject({
      error: { code: 'plan.executing' },
    });
    expect(await stages.submitPlan.execute(stages.agent, task.id, rolloutPlan())).toMatchObject({
      error: { code: 'task.executing' },
    });
  });

  it('never leave their lifecycle, even if the code skips a state', async () => {
    const task = await stages.task();
    const skip = stages.inTenant((tx) => stages.tasks.setState(tx, task.id, 'completed', task.createdAt));
    await expect(skip).rejects.toMatchObject({ code: 'CS002' });
  });
});

describe('plans', () => {
  it('are expanded, decided on and kept, and the task is planned', async () => {
    const task = await stages.task();
    const before = stages.audited.length;
    const submitted = await stages.submitPlan.execute(stages.agent, task.id, rolloutPlan());
    if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
    const { plan } = submitted.value;
    const sizes = plan.expansion?.plan.phases.map((phase) => phase.batches.map((batch) => batch.targets.length));
    expect(sizes).toEqual([[5], [9, 6], [9, 9, 9]]);
    expect(actions().slice(before)).toEqual(['plan.validated', 'task.planned']);
    expect(stages.audited.at(before)).toMatchObject({
      level: 'full_with_evidence',
      evidence: [{ kind: 'plan', id: plan.id, digest: plan.expansion?.digest }],
      payload: { task_digest: task.digest, plan_digest: plan.expansion?.digest, calls: 6, distinct_targets: 47 },
    });
    const read = await stages.getPlan.execute(stages.stranger, plan.id);
    expect(read).toMatchObject({
      ok: true,
      value: {
        plan,
        status: 'validated',
        decision: { id: plan.decisionId, decision: { outcome: 'allow', effective: { mode: 'full_auto' } } },
      },
    });
  });

  it('that are wrong are kept as invalid, with the errors, and nothing else changes', async () => {
    const task = await stages.task();
    const live = await stages.planned(task);
    const document = rolloutPlan();
    const wrong = {
      ...document,
      phases: document.phases.map((phase) => ({
        ...phase,
        steps: phase.steps.map((step) => ({ ...step, tool: 'execute_rolout' })),
      })),
    };
    const refused = await stages.submitPlan.execute(stages.agent, task.id, wrong);
    if (refused.ok) throw new Error('was accepted');
    expect(refused.error).toMatchObject({
      kind: 'unprocessable',
      code: 'plan.invalid',
      errors: [0, 1, 2].map((phase) => ({
        pointer: `/phases/${String(phase)}/steps/0/tool`,
        code: 'plan.unknown_tool',
        suggestion: 'execute_rollout_prod',
      })),
      details: { revision: 2 },
    });
    expect(await statusOf(live)).toBe('validated');
    expect(await statusOf(refused.error.details?.plan_id as typeof live)).toBe('invalid');
  });

  it('that policy refuses are kept as invalid, with the reasons', async () => {
    const task = await stages.task();
    const document = rolloutPlan();
    const reckless = {
      ...document,
      phases: document.phases.map((phase) => ({ ...phase, canary: false, batch_percent: 100 })),
    };
    const refused = await stages.submitPlan.execute(stages.agent, task.id, reckless);
    if (refused.ok) throw new Error('was accepted');
    expect(refused.error).toMatchObject({ kind: 'unprocessable', code: 'plan.refused' });
    expect(refused.error.reasons?.map((reason) => reason.code)).toEqual(
      expect.arrayContaining(['safety.canary_first', 'safety.batch_too_large']),
    );
  });

  it('supersede the one before, and tell the stages that depend on it in the same transaction', async () => {
    const told = jest.spyOn(stages.wired.approval.voidRequests, 'planSuperseded');
    const task = await stages.task();
    const first = await stages.planned(task);
    const second = await stages.planned(task, rolloutPlan('web-2026-12'));
    expect(await statusOf(first)).toBe('superseded');
    expect(await statusOf(second)).toBe('validated');
    expect(told).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.objectContaining({ planId: first, cause: 'superseded', supersededBy: second }),
    );
    const listed = await stages.listPlans.execute(stages.agent, { taskId: task.id }, { limit: 10, after: null });
    if (!listed.ok) throw new Error(listed.error.message);
    expect(listed.value.map(({ plan, status }) => [plan.revision, status])).toEqual([
      [2, 'validated'],
      [1, 'superseded'],
    ]);
    const validated = await stages.listPlans.execute(
      stages.agent,
      { taskId: task.id, status: 'validated' },
      { limit: 10, after: null },
    );
    expect(validated).toMatchObject({ ok: true, value: [{ plan: { id: second } }] });
  });

  it('are withdrawn once, by those who may', async () => {
    const task = await stages.task();
    const id = await stages.planned(task);
    expect(await stages.withdrawPlan.execute(stages.stranger, id)).toMatchObject({ error: { code: 'task.not_yours' } });
    expect(await stages.withdrawPlan.execute(stages.agent, id)).toMatchObject({
      ok: true,
      value: { state: 'withdrawn' },
    });
    expect(await stages.withdrawPlan.execute(stages.agent, id)).toMatchObject({
      error: { code: 'plan.illegal_transition' },
    });
  });

  it('of one task are numbered without gaps when two are submitted at once, and one of them is live', async () => {
    const task = await stages.task();
    const [one, other] = await Promise.all([stages.planned(task), stages.planned(task, rolloutPlan('web-2026-12'))]);
    expect([await statusOf(one), await statusOf(other)].sort()).toEqual(['superseded', 'validated']);
  });

  it('hold their tools and the targets of their state changes', async () => {
    const task = await stages.task();
    const id = await stages.planned(task);
    const held = await stages.inTenant((tx) =>
      sqlOf(tx).query<{ target: string }>(
        'select target from plan_target where tenant_id = $1 and plan_id = $2 order by target',
        [tx.tenantId, id],
      ),
    );
    expect(held.map((row) => row.target)).toEqual(servers(47));
    const tools = await stages.inTenant((tx) =>
      sqlOf(tx).query<{ tool_name: string }>(
        'select tool_name from plan_tool where tenant_id = $1 and plan_id = $2 order by 1',
        [tx.tenantId, id],
      ),
    );
    expect(tools.map((row) => row.tool_name)).toEqual(['execute_rollout_prod', 'query_alerts']);
  });
});
