import { type DecisionId, newId, type PlanId, type SimulationId, type Tx } from '#lib/kernel';
import type { Plan } from '#lib/plan';
import type { Task } from '#lib/task';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { samplePlan } from '../../../plan/src/application/fake-plan.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import type { PendingSimulation, RunningSimulation, Simulation, SucceededSimulation } from '../domain/simulation.js';
import { begun, failed, outdated, samplePending, sampleOutput, succeeded } from './fake-simulation.js';
import type { SimulationRepository } from './simulation.ports.js';

/** The repository of simulations, and ways to keep the rows that they refer to. All of it is the tenant's `home`. */
interface SimulationsOpened {
  readonly world: ContractWorld;
  readonly simulations: SimulationRepository;
  /** Keeps the plan and its task; `targets` are those it changes. */
  keepPlan(plan: Plan, task: Task, targets: readonly string[]): Promise<void>;
  newDecision(): Promise<DecisionId>;
}

/** The contract of a repository of simulations. */
export function describeSimulationRepository(name: string, open: () => Promise<SimulationsOpened>): void {
  describe(`${name} keeps the contract of SimulationRepository`, () => {
    let opened: SimulationsOpened;
    let world: ContractWorld;
    let simulations: SimulationRepository;
    let decisionId: DecisionId;
    beforeAll(async () => {
      opened = await open();
      ({ world, simulations } = opened);
      decisionId = await opened.newDecision();
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const newPlan = async (
      targets: readonly string[] = [],
      environment: 'production' | 'staging' = 'production',
    ): Promise<Plan> => {
      const task = sampleTask(world.home, { environmentId: world.home[environment].id });
      const plan = samplePlan(world.home, task);
      await opened.keepPlan(plan, task, targets);
      return plan;
    };
    const found = (id: SimulationId): Promise<Simulation | null> => atHome((tx) => simulations.find(tx, id));
    const saved = async <Saved extends Simulation>(simulation: Saved): Promise<Saved> => {
      await atHome((tx) => simulations.save(tx, simulation));
      return simulation;
    };
    const asked = async (plan: Plan, members: Partial<PendingSimulation> = {}): Promise<PendingSimulation> => {
      const pending = samplePending(plan, { decisionId, ...members });
      await atHome((tx) => simulations.insert(tx, pending));
      return pending;
    };
    const running = async (plan: Plan, members: Partial<PendingSimulation> = {}): Promise<RunningSimulation> =>
      saved(begun(await asked(plan, members)));
    const done = async (plan: Plan, members: Partial<PendingSimulation> = {}): Promise<SucceededSimulation> =>
      saved(succeeded(await running(plan, members)));

    it('finds a kept simulation, whole, in every state', async () => {
      const plan = await newPlan();
      const pending = await asked(plan);
      expect(await found(pending.id)).toEqual(pending);
      const started = await saved(begun(pending));
      expect(await found(pending.id)).toEqual(started);
      const successful = await saved(succeeded(started, sampleOutput(['web-1', 'web-2'])));
      expect(await found(pending.id)).toEqual(successful);
      const stale = await saved(outdated(successful));
      expect(await found(pending.id)).toEqual(stale);
      expect(await atHome((tx) => simulations.lock(tx, pending.id))).toEqual(stale);
      const broken = await saved(failed(await running(await newPlan())));
      expect(await found(broken.id)).toEqual(broken);
    });

    it('has nothing under another id, and nothing for another tenant', async () => {
      const plan = await newPlan();
      const { id } = await asked(plan);
      expect(await found(newId<SimulationId>())).toBeNull();
      expect(await atHome((tx) => simulations.lock(tx, newId<SimulationId>()))).toBeNull();
      expect(await elsewhere((tx) => simulations.find(tx, id))).toBeNull();
      expect(await elsewhere((tx) => simulations.lock(tx, id))).toBeNull();
      expect(await elsewhere((tx) => simulations.counting(tx, plan.id))).toBeNull();
      expect(await elsewhere((tx) => simulations.list(tx, plan.id, { limit: 9, after: null }))).toEqual([]);
    });

    it('saves the changeable columns, and nothing else', async () => {
      const pending = await asked(await newPlan());
      const bystander = await asked(await newPlan());
      await elsewhere((tx) => simulations.save(tx, begun(pending)));
      expect(await found(pending.id)).toEqual(pending);
      const other = await newPlan();
      const moved = { ...begun(pending), planId: other.id, planDigest: sampleOutput().digest, createdAt: 7 };
      await saved({ ...moved, nextAt: null });
      expect(await found(pending.id)).toEqual({ ...begun(pending), nextAt: null });
      expect(await found(bystander.id)).toEqual(bystander);
    });

    it('refuses an id that is taken, and a second one of a plan while one is active (23505)', async () => {
      const plan = await newPlan();
      const first = await running(plan);
      const taken = { code: '23505' };
      await expect(asked(plan)).rejects.toMatchObject(taken);
      await expect(asked(await newPlan(), { id: first.id })).rejects.toMatchObject(taken);
      await saved(succeeded(first));
      await expect(asked(plan)).resolves.toBeDefined();
    });

    it('refuses a state that the lifecycle does not lead to (CS002)', async () => {
      const pending = await asked(await newPlan());
      const illegal = { code: 'CS002' };
      for (const state of [succeeded(begun(pending)), failed(begun(pending)), outdated(succeeded(begun(pending)))])
        await expect(saved(state)).rejects.toMatchObject(illegal);
      const started = begun(samplePending(await newPlan(), { decisionId }));
      await expect(atHome((tx) => simulations.insert(tx, started))).rejects.toMatchObject(illegal);
      expect(await found(pending.id)).toEqual(pending);
    });

    it('lets one transaction at a time hold a simulation', async () => {
      const { id } = await asked(await newPlan());
      expect(await waitsBehind(world, (tx) => simulations.lock(tx, id))).toBe(true);
    });

    it('knows which of a plan counts: the latest with a result, or else the latest', async () => {
      const plan = await newPlan();
      const counting = async (): Promise<SimulationId | undefined> =>
        (await atHome((tx) => simulations.counting(tx, plan.id)))?.id;
      expect(await counting()).toBeUndefined();
      const first = await running(plan);
      await saved(failed(first));
      expect(await counting()).toBe(first.id);
      const second = await done(plan, { createdAt: plan.createdAt + 1 });
      const third = await done(plan, { createdAt: plan.createdAt + 2 });
      expect(await counting()).toBe(third.id);
      await saved(outdated(third));
      expect(await counting()).toBe(third.id);
      const fourth = await asked(plan, { createdAt: plan.createdAt + 3 });
      expect(await counting()).toBe(third.id);
      const listed = async (limit: number, after: Simulation | null): Promise<readonly SimulationId[]> => {
        const page = { limit, after: after === null ? null : { at: after.createdAt, id: after.id } };
        return (await atHome((tx) => simulations.list(tx, plan.id, page))).map(({ id }) => id);
      };
      expect(await listed(9, null)).toEqual([fourth.id, third.id, second.id, first.id]);
      expect(await listed(1, third)).toEqual([second.id]);
      expect(await atHome((tx) => simulations.list(tx, newId<PlanId>(), { limit: 9, after: null }))).toEqual([]);
    });

    it('renews the lease of the attempt that counts, and never shortens it', async () => {
      const started = await running(await newPlan(), { nextAt: 1_000 });
      const renew = (fence: number, at: number): Promise<boolean> =>
        atHome((tx) => simulations.renew(tx, started.id, fence, at));
      expect(await renew(started.fence, 2_000)).toBe(true);
      expect(await found(started.id)).toEqual({ ...started, nextAt: 2_000 });
      expect(await renew(started.fence, 1_500)).toBe(true);
      expect(await renew(started.fence - 1, 9_000)).toBe(false);
      expect(await elsewhere((tx) => simulations.renew(tx, started.id, started.fence, 9_000))).toBe(false);
      expect(await found(started.id)).toEqual({ ...started, nextAt: 2_000 });
      await saved(succeeded(started));
      expect(await renew(started.fence, 9_000)).toBe(false);
    });

    it('gives back the lease of the attempt that counts', async () => {
      const started = await running(await newPlan(), { nextAt: 9_000 });
      const giveBack = (fence: number) => (tx: Tx) => simulations.giveBack(tx, started.id, fence, 1_000);
      await atHome(giveBack(started.fence - 1));
      await elsewhere(giveBack(started.fence));
      expect(await found(started.id)).toEqual(started);
      await atHome(giveBack(started.fence));
      expect(await found(started.id)).toEqual({ ...started, nextAt: 1_000 });
      const ended = await saved(succeeded(started));
      await atHome(giveBack(started.fence));
      expect(await found(started.id)).toEqual(ended);
    });

    describe('outdates', () => {
      const reason = { code: 'simulation.overtaken', message: 'A run changed this target.' };
      const outdate = (targets: readonly string[], environment: 'production' | 'staging' = 'production') =>
        atHome((tx) => simulations.outdate(tx, world.home[environment].id, targets, reason, 5_000));

      it('results of plans that change one of the targets, and starts over simulations in progress', async () => {
        const hit = await done(await newPlan(['o-1', 'o-2']));
        const missed = await done(await newPlan(['o-3']));
        const inStaging = await done(await newPlan(['o-1'], 'staging'));
        const computing = await running(await newPlan(['o-2']));
        const waiting = await asked(await newPlan(['o-1']));
        const broken = await saved(failed(await running(await newPlan(['o-1']))));
        const other = world.home.production.id;
        expect(await elsewhere((tx) => simulations.outdate(tx, other, ['o-1'], reason, 5_000))).toEqual([]);
        expect(await outdate(['o-2', 'o-1', 'o-9'])).toEqual([{ id: hit.id, planId: hit.planId }]);
        expect(await found(hit.id)).toEqual(outdated(hit, reason));
        expect(await found(computing.id)).toEqual({ ...computing, fence: computing.fence + 1, nextAt: 5_000 });
        for (const same of [missed, inStaging, waiting, broken]) expect(await found(same.id)).toEqual(same);
        expect(await outdate(['o-1'])).toEqual([]);
      });

      it('in the order of their ids', async () => {
        const all = [await done(await newPlan(['p-1'])), await done(await newPlan(['p-1']))];
        expect((await outdate(['p-1'])).map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort());
      });

      it('all that is about an environment as a whole, and by such a target all that changes anything', async () => {
        const whole = await done(await newPlan(['environment:staging'], 'staging'));
        const single = await done(await newPlan(['q-1'], 'staging'));
        const harmless = await done(await newPlan([], 'staging'));
        expect((await outdate(['q-9'], 'staging')).map(({ id }) => id)).toEqual([whole.id]);
        const left = await outdate(['environment:staging'], 'staging');
        expect(left.map(({ id }) => id)).toContain(single.id);
        expect(await found(harmless.id)).toEqual(harmless);
      });
    });
  });
}
