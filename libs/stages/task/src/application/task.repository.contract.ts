import { newId, type Principal, type TaskId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Task } from '../domain/task.js';
import { sampleTask } from './fake-task.js';
import type { TaskFilter, TaskRepository } from './task.ports.js';

/** The contract of a repository of tasks. */
export function describeTaskRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly tasks: TaskRepository }>,
): void {
  describe(`${name} keeps the contract of TaskRepository`, () => {
    let world: ContractWorld;
    let tasks: TaskRepository;
    beforeAll(async () => {
      ({ world, tasks } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const kept = async (task: Task): Promise<Task> => {
      await atHome((tx) => tasks.insert(tx, task));
      return task;
    };

    it('finds an inserted task, whole', async () => {
      const { home } = world;
      const delegated = { ...home.agent, onBehalfOf: home.admin.personId };
      for (const by of [home.agent, delegated, home.owner]) {
        const task = await kept(sampleTask(home, { by, environmentId: home.staging.id }));
        expect(await atHome((tx) => tasks.find(tx, task.id))).toEqual(task);
        expect(await atHome((tx) => tasks.lock(tx, task.id))).toEqual(task);
      }
    });

    it('has nothing under another id, and nothing for another tenant', async () => {
      const { id } = await kept(sampleTask(world.home));
      expect(await atHome((tx) => tasks.find(tx, newId<TaskId>()))).toBeNull();
      expect(await atHome((tx) => tasks.lock(tx, newId<TaskId>()))).toBeNull();
      expect(await elsewhere((tx) => tasks.find(tx, id))).toBeNull();
      expect(await elsewhere((tx) => tasks.lock(tx, id))).toBeNull();
    });

    it('refuses an id that is taken (23505)', async () => {
      const task = await kept(sampleTask(world.home));
      await expect(kept(task)).rejects.toMatchObject({ code: '23505' });
    });

    it('changes the state and its time, and nothing else', async () => {
      const task = await kept(sampleTask(world.home));
      const bystander = await kept(sampleTask(world.home));
      await atHome((tx) => tasks.setState(tx, task.id, 'planned', task.updatedAt + 5));
      expect(await atHome((tx) => tasks.find(tx, task.id))).toEqual({
        ...task,
        state: 'planned',
        updatedAt: task.updatedAt + 5,
      });
      expect(await atHome((tx) => tasks.find(tx, bystander.id))).toEqual(bystander);
    });

    it("does not change another tenant's task", async () => {
      const task = await kept(sampleTask(world.home));
      await elsewhere((tx) => tasks.setState(tx, task.id, 'planned', task.updatedAt + 5));
      expect(await atHome((tx) => tasks.find(tx, task.id))).toEqual(task);
    });

    it('refuses a state that the lifecycle does not lead to (CS002)', async () => {
      const task = await kept(sampleTask(world.home));
      for (const state of ['executing', 'completed', 'failed'] as const) {
        await expect(atHome((tx) => tasks.setState(tx, task.id, state, 0))).rejects.toMatchObject({ code: 'CS002' });
      }
      await expect(kept(sampleTask(world.home, { state: 'planned' }))).rejects.toMatchObject({ code: 'CS002' });
      expect(await atHome((tx) => tasks.find(tx, task.id))).toEqual(task);
    });

    it('lets one transaction at a time hold a task', async () => {
      const { id } = await kept(sampleTask(world.home));
      expect(await waitsBehind(world, (tx) => tasks.lock(tx, id))).toBe(true);
    });

    describe('lists', () => {
      const start = Date.UTC(2020, 0, 1);
      const DAY = 86_400_000;
      const period = { from: start, until: start + DAY };
      let byAgent: Task;
      let delegated: Task;
      let byOwner: Task;
      let latest: Task;
      beforeAll(async () => {
        const { home } = world;
        const insert = (ms: number, by: Principal = home.agent): Promise<Task> =>
          kept(sampleTask(home, { by, createdAt: start + ms }));
        byAgent = await insert(0);
        delegated = await insert(1, { ...home.agent, onBehalfOf: home.admin.personId });
        byOwner = await insert(2, home.owner);
        latest = await insert(2, home.owner);
        await atHome((tx) => tasks.setState(tx, latest.id, 'cancelled', start));
        await insert(DAY);
      });

      const listed = (filter: TaskFilter, limit = 10, after: Task | null = null): Promise<readonly TaskId[]> =>
        atHome(async (tx) => {
          const page = { limit, after: after === null ? null : { at: after.createdAt, id: after.id } };
          return (await tasks.list(tx, { ...period, ...filter }, page)).map(({ id }) => id);
        });

      it('the newest first, from the first moment of a period to before its last', async () => {
        expect(await listed({})).toEqual([latest.id, byOwner.id, delegated.id, byAgent.id]);
        expect(await listed({ from: start + 1, until: start + 2 })).toEqual([delegated.id]);
      });

      it('page by page', async () => {
        expect(await listed({}, 1)).toEqual([latest.id]);
        expect(await listed({}, 2, latest)).toEqual([byOwner.id, delegated.id]);
        expect(await listed({}, 2, delegated)).toEqual([byAgent.id]);
      });

      it('by state, agent and person', async () => {
        const { agent, owner, admin } = world.home;
        expect(await listed({ state: 'cancelled' })).toEqual([latest.id]);
        expect(await listed({ agentId: agent.agentId })).toEqual([delegated.id, byAgent.id]);
        expect(await listed({ personId: owner.personId })).toEqual([latest.id, byOwner.id]);
        expect(await listed({ personId: admin.personId })).toEqual([delegated.id]);
      });

      it('nothing of another tenant', async () => {
        expect(await elsewhere((tx) => tasks.list(tx, {}, { limit: 10, after: null }))).toEqual([]);
      });
    });
  });
}
