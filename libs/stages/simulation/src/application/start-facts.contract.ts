import type { AutonomyInForce } from '#lib/autonomy';
import type { AutonomyDocument } from '#lib/formats';
import { type DecisionId, newId, type PlanId, type Principal, type Tx } from '#lib/kernel';
import type { Plan, PlanRepository } from '#lib/plan';
import type { TaskRepository } from '#lib/task';
import type { ToolRepository, ToolVersion } from '#lib/tool';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { definitionText, sampleRollout, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { samplePlan } from '../../../plan/src/application/fake-plan.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { begun, samplePending, succeeded } from './fake-simulation.js';
import type { SimulationRepository } from './simulation.ports.js';
import type { StartFacts, StartFactsReader } from './start-facts.js';

/** The reader, and the stores of the records that it reads. */
interface FactsOpened {
  readonly world: ContractWorld;
  readonly facts: StartFactsReader;
  readonly tasks: TaskRepository;
  readonly tools: ToolRepository;
  readonly plans: PlanRepository;
  readonly simulations: SimulationRepository;
  putAutonomy(tx: Tx, document: AutonomyDocument): Promise<AutonomyInForce>;
  newDecision(): Promise<DecisionId>;
}

const DOCUMENT: AutonomyDocument = { autonomy: { mode: 'full_auto' } };

/** The contract of a reader of the facts by which a simulation is decided. */
export function describeStartFacts(name: string, open: () => Promise<FactsOpened>): void {
  describe(`${name} keeps the contract of StartFactsReader`, () => {
    let opened: FactsOpened;
    let world: ContractWorld;
    let autonomy: AutonomyInForce;
    const rollout = sampleRollout();
    const look = sampleTool('look');

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const hold =
      (id: PlanId) =>
      (tx: Tx): Promise<StartFacts | null> =>
        opened.facts.hold(tx, id);
    const register = async (...tools: readonly ToolVersion[]): Promise<void> => {
      const { personId } = world.home.admin;
      for (const tool of tools)
        await atHome((tx) => opened.tools.addVersion(tx, tool, definitionText(tool.definition), personId, 0));
    };
    const newPlan = async (members: Partial<Plan> & { readonly by?: Principal } = {}) => {
      const { by = world.home.agent, ...rest } = members;
      const task = sampleTask(world.home, { by, environmentId: world.home.staging.id });
      const plan = { ...samplePlan(world.home, task), ...rest };
      const tools = [rollout, look].map(({ id, name: held }) => ({ id, name: held }));
      await atHome(async (tx) => {
        await opened.tasks.insert(tx, task);
        await opened.plans.insert(tx, plan, { tools, targets: [] });
      });
      return { task, plan };
    };

    beforeAll(async () => {
      opened = await open();
      ({ world } = opened);
      await register(rollout, look);
      autonomy = await atHome((tx) => opened.putAutonomy(tx, DOCUMENT));
    });
    afterAll(() => world.close());

    it('gives the plan and its task with the records that count now', async () => {
      const { task, plan } = await newPlan({ by: { ...world.home.agent, onBehalfOf: world.home.admin.personId } });
      expect(await atHome(hold(plan.id))).toEqual({
        now: expect.any(Number) as number,
        task,
        ownerId: world.home.owner.personId,
        plan: { id: plan.id, state: 'validated', submitter: plan.submitter, expansion: plan.expansion },
        environment: world.home.staging,
        autonomy,
        tools: [look, rollout],
        active: null,
      });
    });

    it('gives no owner for a task of a person, and no expansion of a plan that has none', async () => {
      const { plan } = await newPlan({
        by: world.home.owner,
        state: 'invalid',
        expansion: null,
        headline: null,
        errors: [{ pointer: '/phases/0', code: 'plan.unknown_tool', message: 'There is no such tool.' }],
      });
      expect(await atHome(hold(plan.id))).toMatchObject({
        ownerId: null,
        plan: { state: 'invalid', expansion: null },
      });
    });

    it('gives the tool versions of the plan, also those that no longer count', async () => {
      const { plan } = await newPlan();
      await register(sampleRollout(2));
      await atHome((tx) => opened.tools.remove(tx, look.name, 0));
      expect(await atHome(hold(plan.id))).toMatchObject({ tools: [look, rollout] });
    });

    it('knows the simulation that is pending or running', async () => {
      const { plan } = await newPlan();
      const pending = samplePending(plan, { decisionId: await opened.newDecision() });
      const activeNow = async (): Promise<unknown> => (await atHome(hold(plan.id)))?.active;
      await atHome((tx) => opened.simulations.insert(tx, pending));
      expect(await activeNow()).toBe(pending.id);
      await atHome((tx) => opened.simulations.save(tx, begun(pending)));
      expect(await activeNow()).toBe(pending.id);
      await atHome((tx) => opened.simulations.save(tx, succeeded(begun(pending))));
      expect(await activeNow()).toBeNull();
    });

    it('has nothing for a plan of another tenant, or for none', async () => {
      const { plan } = await newPlan();
      expect(await elsewhere(hold(plan.id))).toBeNull();
      expect(await atHome(hold(newId<PlanId>()))).toBeNull();
    });

    it("tells the database's clock", async () => {
      const { plan } = await newPlan();
      const [before, facts, after] = await atHome(async (tx) => [
        await tx.now(),
        await hold(plan.id)(tx),
        await tx.now(),
      ]);
      expect(facts?.now).toBeGreaterThanOrEqual(before);
      expect(facts?.now).toBeLessThanOrEqual(after);
    });

    it('keeps the task, the plan and the document as they are', async () => {
      const { task, plan } = await newPlan();
      const first = hold(plan.id);
      expect(await waitsBehind(world, first)).toBe(true);
      expect(await waitsBehind(world, first, (tx) => opened.tasks.lock(tx, task.id))).toBe(true);
      expect(await waitsBehind(world, first, (tx) => opened.plans.lock(tx, plan.id))).toBe(true);
      expect(await waitsBehind(world, first, (tx) => opened.putAutonomy(tx, DOCUMENT))).toBe(true);
    });
  });
}
