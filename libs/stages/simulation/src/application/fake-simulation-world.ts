import type { JsonObject } from '#lib/canonical';
import { EXECUTOR_KINDS, type DispatchOrder, type DispatchOutcome, type ExecutorKinds } from '#lib/dispatch';
import { newId, type RunId, type SimulationId } from '#lib/kernel';
import type { Plan } from '#lib/plan';
import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeToolDispatcher } from '../../../../registry/dispatch/src/application/fake-tool-dispatcher.js';
import { FakeHaltRepository, sampleHalt } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import { FakePlanWorld, rolloutDocument } from '../../../plan/src/application/fake-plan-world.js';
import { createSimulations } from '../create-simulations.js';
import type { Simulation } from '../domain/simulation.js';
import { FakeSimulationOutcomeRepository } from './fake-simulation-outcome.repository.js';
import { FakeSimulationRepository } from './fake-simulation.repository.js';
import { FakeStartFacts } from './fake-start-facts.js';

/** The answer of a simulation tool: one asset a target, and two minutes, unless the test says more. */
export const predicted = ({ arguments: { targets } }: DispatchOrder, members: JsonObject = {}): DispatchOutcome => ({
  kind: 'succeeded',
  result: {
    affected_assets: Array.isArray(targets) ? targets.length : 1,
    estimated_duration_minutes: 2,
    predicted_risk: 'medium',
    health_check_points: ['error rate stays below 5 percent'],
    details: null,
    ...members,
  },
});

/** More servers than calls are ever under way at once: a plan for them makes a call for each. */
export const SERVERS = ['web-1', 'web-2', 'web-3', 'web-4', 'web-5', 'web-6'];

/** The use cases of simulations over fakes and the real policies. The clock stands until the test moves it. */
export class FakeSimulationWorld extends FakePlanWorld {
  readonly jobs = new FakeJobQueue(this.uow);
  readonly halts = new FakeHaltRepository(this.uow);
  readonly simulations = new FakeSimulationRepository(this.uow);
  readonly outcomes = new FakeSimulationOutcomeRepository(this.uow);
  readonly dispatcher = new FakeToolDispatcher();
  readonly startFacts = new FakeStartFacts(this);
  readonly simulating: ReturnType<typeof createSimulations>;

  private constructor(executorKinds: ExecutorKinds) {
    super();
    this.simulating = createSimulations({
      ...{ uow: this.uow, audit: this.audit, jobs: this.jobs, task: this.tasking, environments: this.environments },
      ...{ plan: this.planning, tools: this.tools, executorKinds, autonomy: this.autonomy },
      ...{ halts: this.halts, policy: this.policies, dispatcher: this.dispatcher },
      rows: { simulations: this.simulations, outcomes: this.outcomes, facts: this.startFacts },
    });
  }

  static override async open(executorKinds = EXECUTOR_KINDS): Promise<FakeSimulationWorld> {
    const world = new FakeSimulationWorld(executorKinds);
    world.dispatcher.answer = (order) => predicted(order);
    return world.founded();
  }

  /** The live plan of a new task for these targets. The plan changes all of them. */
  async plannedFor(targets: readonly string[]): Promise<Plan> {
    const submitted = await this.submit((await this.task()).id, rolloutDocument('web-2026.11', targets));
    if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
    const { plan } = submitted.value;
    this.simulations.touched.set(plan.id, { environmentId: this.tenant.production.id, targets });
    return plan;
  }

  /** The simulation of a new plan for these targets, once a worker is done with it. */
  async computed(targets: readonly string[] = SERVERS): Promise<Simulation> {
    return this.execute(await this.asked(await this.plannedFor(targets)));
  }

  /** A pending simulation of a plan, asked for by the agent. */
  async asked(plan: Pick<Plan, 'id'>): Promise<SimulationId> {
    const started = await this.simulating.startSimulation.execute(this.tenant.agent, plan.id);
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    return started.value.simulation.id;
  }

  /** Does the work of a worker that is told of the simulation. */
  async execute(id: SimulationId): Promise<Simulation> {
    await this.simulating.executeSimulation.execute(this.tenant.tenantId, id);
    return this.simulation(id);
  }

  async simulation(id: SimulationId): Promise<Simulation> {
    const found = await this.inTx((tx) => this.simulations.find(tx, id));
    if (found === null) throw new Error(`no simulation ${id}`);
    return found;
  }

  /** Begins a run that touches these targets of production. */
  touch(targets: readonly string[]): Promise<void> {
    return this.inTx(async (tx) =>
      this.simulating.freshness.outdateSimulations(tx, this.tenant.production.id, targets, {
        code: 'simulation.targets_touched',
        message: 'A run has begun to touch its targets.',
        principal: this.tenant.agent,
        runId: newId<RunId>(),
        at: await tx.now(),
      }),
    );
  }

  /** Sets a halt. */
  halt(target?: Parameters<typeof sampleHalt>[1]): Promise<void> {
    return this.inTx((tx) => this.halts.insert(tx, sampleHalt(this.tenant, target)));
  }
}
