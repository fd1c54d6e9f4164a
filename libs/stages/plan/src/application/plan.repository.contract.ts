import { type DecisionId, newId, type PlanId, type Principal, type TaskId, type Tx } from '#lib/kernel';
import { submitterOf, type Task } from '#lib/task';
import type { ToolVersion } from '#lib/tool';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { sampleRollout, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import type { Plan } from '../domain/plan.js';
import { samplePlan } from './fake-plan.js';
import type { PlanFilter, PlanHoldings, PlanRepository } from './plan.ports.js';

const NOTHING: PlanHoldings = { tools: [], targets: [] };

/** The repository of plans, and ways to keep the rows that plans refer to. All of it is the tenant's `home`. */
interface PlansOpened {
  readonly world: ContractWorld;
  readonly plans: PlanRepository;
  keepTask(task: Task): Promise<void>;
  keepTool(tool: ToolVersion): Promise<void>;
  newDecision(): Promise<DecisionId>;
}

/** The contract of a repository of plans. */
export function describePlanRepository(name: string, open: () => Promise<PlansOpened>): void {
  describe(`${name} keeps the contract of PlanRepository`, () => {
    let opened: PlansOpened;
    let world: ContractWorld;
    let plans: PlanRepository;
    beforeAll(async () => {
      opened = await open();
      ({ world, plans } = opened);
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const newTask = async (createdAt?: number): Promise<Task> => {
      const task = sampleTask(world.home, createdAt === undefined ? {} : { createdAt });
      await opened.keepTask(task);
      return task;
    };
    const kept = async (plan: Plan, holdings = NOTHING): Promise<Plan> => {
      await atHome((tx) => plans.insert(tx, plan, holdings));
      return plan;
    };
    /** A revision that could not be expanded. */
    const invalid = (task: Task, revision = 1): Plan => ({
      ...samplePlan(world.home, task, { revision, state: 'invalid' }),
      expansion: null,
      headline: null,
      errors: [{ pointer: '/phases/0', code: 'plan.unknown_tool', message: 'There is no such tool.' }],
    });
    const submitted = (by: Principal): Pick<Plan, 'submitter'> => {
      const submitter = submitterOf(by);
      if (!submitter.ok) throw new Error(submitter.error.code);
      return { submitter: submitter.value };
    };

    it('finds an inserted plan, whole', async () => {
      const { home } = world;
      const delegated = submitted({ ...home.agent, onBehalfOf: home.admin.personId });
      const decisionId = await opened.newDecision();
      for (const plan of [
        samplePlan(home, await newTask(), { decisionId, ...delegated }),
        samplePlan(home, await newTask(), {
          state: 'draft',
          updatedAt: Date.UTC(2026, 0, 6),
          ...submitted(home.owner),
        }),
        invalid(await newTask()),
      ]) {
        await kept(plan);
        expect(await atHome((tx) => plans.find(tx, plan.id))).toEqual(plan);
        expect(await atHome((tx) => plans.lock(tx, plan.id))).toEqual(plan);
        expect(await elsewhere((tx) => plans.find(tx, plan.id))).toBeNull();
        expect(await elsewhere((tx) => plans.lock(tx, plan.id))).toBeNull();
      }
      expect(await atHome((tx) => plans.find(tx, newId<PlanId>()))).toBeNull();
      expect(await atHome((tx) => plans.lock(tx, newId<PlanId>()))).toBeNull();
    });

    it("knows a task's one live revision", async () => {
      const task = await newTask();
      const { home } = world;
      expect(await atHome((tx) => plans.lockLive(tx, task.id))).toBeNull();
      const second = await kept(samplePlan(home, task, { revision: 2, ...submitted(home.owner) }));
      const first = await kept(invalid(task));
      expect(await atHome((tx) => plans.lockLive(tx, task.id))).toEqual({
        ...{ id: second.id, taskId: task.id, revision: 2, state: 'validated' },
        expansion: { digest: second.expansion?.digest },
      });
      expect(await atHome((tx) => plans.find(tx, first.id))).toEqual(first);
      await atHome((tx) => plans.setState(tx, second.id, 'withdrawn', second.updatedAt));
      expect(await atHome((tx) => plans.lockLive(tx, task.id))).toBeNull();
      expect(await elsewhere((tx) => plans.lockLive(tx, task.id))).toBeNull();
    });

    it('refuses an id, a revision or a place as the live one that is taken (23505)', async () => {
      const task = await newTask();
      const plan = await kept(samplePlan(world.home, task));
      const taken = { code: '23505' };
      await expect(kept(samplePlan(world.home, await newTask(), { id: plan.id }))).rejects.toMatchObject(taken);
      await expect(kept(invalid(task))).rejects.toMatchObject(taken);
      await expect(kept(samplePlan(world.home, task, { revision: 2 }))).rejects.toMatchObject(taken);
      const draft = await kept(samplePlan(world.home, task, { revision: 2, state: 'draft' }));
      await expect(atHome((tx) => plans.setState(tx, draft.id, 'validated', 0))).rejects.toMatchObject(taken);
      await atHome((tx) => plans.setState(tx, plan.id, 'superseded', plan.updatedAt));
      await atHome((tx) => plans.setState(tx, draft.id, 'validated', plan.updatedAt));
      expect(await atHome((tx) => plans.lockLive(tx, task.id))).toMatchObject({ id: draft.id });
    });

    it('refuses a live revision without an expansion (23514)', async () => {
      const task = await newTask();
      await expect(kept({ ...invalid(task), state: 'validated' })).rejects.toMatchObject({ code: '23514' });
      const { headline } = samplePlan(world.home, task);
      await expect(kept({ ...invalid(task), headline })).rejects.toMatchObject({ code: '23514' });
    });

    it('changes the state and its time, and nothing else', async () => {
      const plan = await kept(samplePlan(world.home, await newTask()));
      const bystander = await kept(samplePlan(world.home, await newTask()));
      await elsewhere((tx) => plans.setState(tx, plan.id, 'withdrawn', 7));
      expect(await atHome((tx) => plans.find(tx, plan.id))).toEqual(plan);
      const updatedAt = plan.updatedAt + 5;
      await atHome((tx) => plans.setState(tx, plan.id, 'superseded', updatedAt));
      expect(await atHome((tx) => plans.find(tx, plan.id))).toEqual({ ...plan, state: 'superseded', updatedAt });
      expect(await atHome((tx) => plans.find(tx, bystander.id))).toEqual(bystander);
    });

    it('refuses a state that the lifecycle does not lead to (CS002)', async () => {
      const plan = await kept(samplePlan(world.home, await newTask()));
      for (const state of ['draft', 'invalid'] as const) {
        await expect(atHome((tx) => plans.setState(tx, plan.id, state, 0))).rejects.toMatchObject({ code: 'CS002' });
      }
      const dead = samplePlan(world.home, await newTask(), { state: 'superseded' });
      await expect(kept(dead)).rejects.toMatchObject({ code: 'CS002' });
    });

    it('lets one transaction at a time hold a plan', async () => {
      const { id, taskId } = await kept(samplePlan(world.home, await newTask()));
      const byId = (tx: Tx): Promise<unknown> => plans.lock(tx, id);
      const asLive = (tx: Tx): Promise<unknown> => plans.lockLive(tx, taskId);
      expect(await waitsBehind(world, byId, asLive)).toBe(true);
      expect(await waitsBehind(world, asLive, byId)).toBe(true);
    });

    it('knows the tool versions that a revision names, by name', async () => {
      const tools = [sampleRollout(), sampleTool('look')];
      for (const tool of tools) await opened.keepTool(tool);
      const plan = await kept(samplePlan(world.home, await newTask()), { tools, targets: ['web-1', 'web-2'] });
      const [rollout, look] = tools;
      expect(await atHome((tx) => plans.heldTools(tx, plan.id))).toEqual([look?.id, rollout?.id]);
      expect(await elsewhere((tx) => plans.heldTools(tx, plan.id))).toEqual([]);
      expect(await atHome((tx) => plans.heldTools(tx, newId<PlanId>()))).toEqual([]);
    });

    it('tells the headline of the latest revision of a task that has one', async () => {
      const [task, other] = [await newTask(), await newTask()];
      const first = await kept(samplePlan(world.home, task, { state: 'draft' }));
      const second = await kept(samplePlan(world.home, task, { revision: 2 }));
      await kept(invalid(task, 3));
      await kept(invalid(other));
      expect(first.headline).not.toEqual(second.headline);
      const tasks = [task.id, other.id, newId<TaskId>()];
      expect(await atHome((tx) => plans.latestHeadlinesOf(tx, tasks))).toEqual(new Map([[task.id, second.headline]]));
      expect((await elsewhere((tx) => plans.latestHeadlinesOf(tx, tasks))).size).toBe(0);
    });

    it("shows a revision's own state until a later stage makes more of it", async () => {
      const plan = await kept(samplePlan(world.home, await newTask()));
      const status = (id: PlanId): ReturnType<PlanRepository['withStatus']> => atHome((tx) => plans.withStatus(tx, id));
      expect(await status(plan.id)).toEqual({ plan, status: 'validated' });
      await atHome((tx) => plans.setState(tx, plan.id, 'withdrawn', plan.updatedAt));
      expect(await status(plan.id)).toMatchObject({ status: 'withdrawn' });
      expect(await status(newId<PlanId>())).toBeNull();
      expect(await elsewhere((tx) => plans.withStatus(tx, plan.id))).toBeNull();
    });

    it('knows no plan that was executed before', async () => {
      const plan = await kept(samplePlan(world.home, await newTask()));
      expect(await atHome((tx) => plans.lastExecutedLike(tx, plan.id))).toBeNull();
    });

    describe('lists', () => {
      const start = Date.UTC(2020, 0, 1);
      const period = { from: start, until: start + 10 };
      let task: Task;
      let first: Plan;
      let second: Plan;
      let third: Plan;
      beforeAll(async () => {
        const { home } = world;
        task = await newTask(start);
        first = await kept(invalid(task));
        second = await kept(samplePlan(home, task, { revision: 2, createdAt: start + 1, ...submitted(home.owner) }));
        const behalf = submitted({ ...home.agent, onBehalfOf: home.admin.personId });
        third = await kept(samplePlan(home, await newTask(start), { createdAt: start + 1, ...behalf }));
      });
      const listed = async (filter: PlanFilter, limit = 10, after: Plan | null = null): Promise<readonly PlanId[]> =>
        atHome(async (tx) => {
          const page = { limit, after: after === null ? null : { at: after.createdAt, id: after.id } };
          return (await plans.list(tx, { ...period, ...filter }, page)).map(({ plan }) => plan.id);
        });

      it('everything but the documents, and the status', async () => {
        const { document: _document, errors: _errors, decisionId: _decision, expansion, ...rest } = second;
        const [found] = await atHome((tx) =>
          plans.list(tx, { taskId: task.id, status: 'validated' }, { limit: 1, after: null }),
        );
        expect(found).toEqual({
          plan: { ...rest, expansion: { digest: expansion?.digest } },
          status: 'validated',
        });
      });

      it('the newest first, page by page', async () => {
        expect(await listed({})).toEqual([third.id, second.id, first.id]);
        expect(await listed({}, 1, third)).toEqual([second.id]);
        expect(await listed({}, 1, second)).toEqual([first.id]);
      });

      it('by task, status, agent, person and period', async () => {
        const { agent, owner, admin } = world.home;
        expect(await listed({ taskId: task.id })).toEqual([second.id, first.id]);
        expect(await listed({ status: 'invalid' })).toEqual([first.id]);
        expect(await listed({ agentId: agent.agentId })).toEqual([third.id, first.id]);
        expect(await listed({ personId: owner.personId })).toEqual([second.id]);
        expect(await listed({ personId: admin.personId })).toEqual([third.id]);
        expect(await listed({ until: start + 1 })).toEqual([first.id]);
      });

      it('nothing of another tenant', async () => {
        expect(await elsewhere((tx) => plans.list(tx, {}, { limit: 10, after: null }))).toEqual([]);
      });
    });
  });
}
