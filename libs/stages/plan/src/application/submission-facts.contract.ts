import type { AutonomyInForce } from '#lib/autonomy';
import type { AutonomyDocument } from '#lib/formats';
import { newId, type Principal, type TaskId, type Tx } from '#lib/kernel';
import type { Task, TaskRepository } from '#lib/task';
import type { ExecutorRecord, ToolRepository, Tools, ToolVersion } from '#lib/tool';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld, SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import {
  definitionText,
  sampleExecutor,
  sampleRollout,
  sampleTool,
} from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { samplePlan } from './fake-plan.js';
import type { PlanRepository } from './plan.ports.js';
import type { SubmissionFacts, SubmissionFactsReader } from './submission-facts.js';

/** The reader, and the stores of the records that it reads. */
interface FactsOpened {
  readonly world: ContractWorld;
  readonly facts: SubmissionFactsReader;
  readonly tasks: TaskRepository;
  readonly tools: ToolRepository;
  readonly executors: Tools['executors'];
  readonly plans: PlanRepository;
  putAutonomy(tx: Tx, document: AutonomyDocument): Promise<AutonomyInForce>;
}

const DOCUMENT: AutonomyDocument = { autonomy: { mode: 'full_auto' } };
const NOTHING = { tools: [], targets: [] };

/** The contract of a reader of the facts of a submission. */
export function describeSubmissionFacts(name: string, open: () => Promise<FactsOpened>): void {
  describe(`${name} keeps the contract of SubmissionFactsReader`, () => {
    let opened: FactsOpened;
    let world: ContractWorld;
    let autonomy: AutonomyInForce;
    let fleet: ExecutorRecord;
    const rollout = sampleRollout(2);
    const look = sampleTool('look', { executor: 'elsewhere' });

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const hold =
      (id: TaskId, tools: readonly string[] = []) =>
      (tx: Tx): Promise<SubmissionFacts | null> =>
        opened.facts.hold(tx, id, tools);
    const register = async (tool: ToolVersion): Promise<void> => {
      const { personId } = world.home.admin;
      await atHome((tx) => opened.tools.addVersion(tx, tool, definitionText(tool.definition), personId, 0));
    };
    const save = async (environmentName: 'production' | 'staging', members: Partial<ExecutorRecord> = {}) => {
      const environment = world.home[environmentName];
      const record = sampleExecutor(environment, members);
      await atHome((tx) => opened.executors.save(tx, environment.id, record, world.home.admin.personId, 0));
      return record;
    };
    const newTask = async (tenant: SampleTenant = world.home, by: Principal = tenant.agent): Promise<Task> => {
      const task = sampleTask(tenant, { by });
      await world.uow.run(tenant.tenantId, (tx) => opened.tasks.insert(tx, task));
      return task;
    };

    beforeAll(async () => {
      opened = await open();
      ({ world } = opened);
      for (const tool of [sampleRollout(), rollout, look, sampleTool('gone')]) await register(tool);
      await atHome((tx) => opened.tools.remove(tx, 'gone', 0));
      const { id } = await save('production');
      fleet = await save('production', { id, version: 2, url: 'https://tools.example.com/moved' });
      await save('production', { name: 'unasked' });
      await save('staging');
      await save('staging', { name: 'elsewhere' });
      await atHome((tx) => opened.putAutonomy(tx, { autonomy: { mode: 'plan_only' } }));
      autonomy = await atHome((tx) => opened.putAutonomy(tx, DOCUMENT));
    });
    afterAll(() => world.close());

    it('gives the task with the records that count now', async () => {
      const task = await newTask(world.home, { ...world.home.agent, onBehalfOf: world.home.admin.personId });
      const names = ['look', 'rollout', 'gone', 'never', 'look'];
      expect(await atHome(hold(task.id, names))).toEqual({
        now: expect.any(Number) as number,
        task,
        ownerId: world.home.owner.personId,
        environment: world.home.production,
        autonomy,
        tools: new Map([
          ['rollout', rollout],
          ['look', look],
        ]),
        executors: new Map([['fleet', fleet]]),
        revision: 1,
        live: null,
      });
    });

    it('gives no owner for a task of a person, and no tools if none are asked for', async () => {
      const task = await newTask(world.home, world.home.owner);
      expect(await atHome(hold(task.id))).toMatchObject({
        task,
        ownerId: null,
        tools: new Map(),
        executors: new Map(),
      });
    });

    it('gives no document of a tenant that has none', async () => {
      const task = await newTask(world.other, world.other.owner);
      expect(await elsewhere(hold(task.id, ['rollout']))).toMatchObject({
        environment: world.other.production,
        autonomy: null,
        tools: new Map(),
      });
    });

    it('has nothing for a task of another tenant, or for none', async () => {
      const { id } = await newTask();
      expect(await elsewhere(hold(id))).toBeNull();
      expect(await atHome(hold(newId<TaskId>()))).toBeNull();
    });

    it('counts every revision of the task, and knows the live one', async () => {
      const task = await newTask();
      await atHome((tx) => opened.plans.insert(tx, samplePlan(world.home, task, { state: 'invalid' }), NOTHING));
      expect(await atHome(hold(task.id))).toMatchObject({ revision: 2, live: null });
      const live = samplePlan(world.home, task, { revision: 2 });
      await atHome((tx) => opened.plans.insert(tx, live, NOTHING));
      expect(await atHome(hold(task.id))).toMatchObject({ revision: 3 });
      expect((await atHome(hold(task.id)))?.live).toEqual({
        id: live.id,
        taskId: task.id,
        revision: 2,
        state: 'validated',
        expansion: { digest: live.expansion.digest },
      });
      await atHome((tx) => opened.plans.setState(tx, live.id, 'withdrawn', live.createdAt));
      expect(await atHome(hold(task.id))).toMatchObject({ revision: 3, live: null });
    });

    it("tells the database's clock", async () => {
      const { id } = await newTask();
      const [before, facts, after] = await atHome(async (tx) => [await tx.now(), await hold(id)(tx), await tx.now()]);
      expect(facts?.now).toBeGreaterThanOrEqual(before);
      expect(facts?.now).toBeLessThanOrEqual(after);
    });

    it('lets one transaction at a time hold a task', async () => {
      const { id } = await newTask();
      expect(await waitsBehind(world, hold(id))).toBe(true);
      expect(await waitsBehind(world, hold(id), (tx) => opened.tasks.lock(tx, id))).toBe(true);
    });

    it('keeps the live revision, the tools and the document as they are', async () => {
      const task = await newTask();
      const live = samplePlan(world.home, task);
      await atHome((tx) => opened.plans.insert(tx, live, NOTHING));
      const first = hold(task.id, ['rollout']);
      expect(await waitsBehind(world, first, (tx) => opened.plans.lock(tx, live.id))).toBe(true);
      expect(await waitsBehind(world, first, (tx) => opened.tools.heads(tx))).toBe(true);
      expect(await waitsBehind(world, first, (tx) => opened.putAutonomy(tx, DOCUMENT))).toBe(true);
    });
  });
}
