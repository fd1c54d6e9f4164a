import type { EnvironmentId, PageRequest, PlanId, SimulationId, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { SIMULATION_TRANSITIONS } from '../domain/simulation-transitions.js';
import type { Simulation, SimulationReason } from '../domain/simulation.js';
import type { SimulationRepository } from './simulation.ports.js';

const isActive = ({ state }: Simulation): boolean => state === 'pending' || state === 'running';
const isWhole = (target: string): boolean => target.startsWith('environment:');

/** Keeps simulations in memory. */
export class FakeSimulationRepository implements SimulationRepository {
  readonly #simulations: FakeTable<Simulation>;
  /** The targets of plans, and their environment, as the test says. */
  readonly touched = new Map<PlanId, { readonly environmentId: EnvironmentId; readonly targets: readonly string[] }>();

  constructor(database: FakeUnitOfWork) {
    this.#simulations = new FakeTable(database);
  }

  async insert(tx: Tx, simulation: Simulation): Promise<void> {
    requireTransition(SIMULATION_TRANSITIONS, '', simulation.state);
    if (await this.find(tx, simulation.id)) throw new FakeRefusal('23505', 'simulation_pk');
    if (this.#of(tx, simulation.planId).some(isActive)) throw new FakeRefusal('23505', 'simulation_active_unique');
    this.#simulations.of(tx).set(simulation.id, simulation);
  }

  find(tx: Tx, id: SimulationId): Promise<Simulation | null> {
    return Promise.resolve(this.#simulations.of(tx).get(id) ?? null);
  }

  lock(tx: Tx, id: SimulationId): Promise<Simulation | null> {
    return this.find(tx, id);
  }

  counting(tx: Tx, planId: PlanId): Promise<Simulation | null> {
    const newestFirst = this.#of(tx, planId);
    return Promise.resolve(newestFirst.find((simulation) => 'output' in simulation) ?? newestFirst[0] ?? null);
  }

  list(tx: Tx, planId: PlanId, page: PageRequest): Promise<readonly Simulation[]> {
    return Promise.resolve(this.#of(tx, planId, page));
  }

  async save(tx: Tx, simulation: Simulation): Promise<void> {
    const kept = await this.find(tx, simulation.id);
    if (kept === null) return;
    requireTransition(SIMULATION_TRANSITIONS, kept.state, simulation.state);
    const { planId, planDigest, decisionId, submitter, createdAt } = kept;
    this.#simulations.of(tx).set(kept.id, { ...simulation, planId, planDigest, decisionId, submitter, createdAt });
  }

  async renew(tx: Tx, id: SimulationId, fence: number, nextAt: number): Promise<boolean> {
    const kept = await this.find(tx, id);
    if (kept?.state !== 'running' || kept.fence !== fence) return false;
    this.#simulations.of(tx).set(id, { ...kept, nextAt: Math.max(kept.nextAt ?? nextAt, nextAt) });
    return true;
  }

  async giveBack(tx: Tx, id: SimulationId, fence: number, nextAt: number): Promise<void> {
    const kept = await this.find(tx, id);
    if (kept?.state === 'running' && kept.fence === fence) this.#simulations.of(tx).set(id, { ...kept, nextAt });
  }

  outdate(
    tx: Tx,
    environmentId: EnvironmentId,
    targets: readonly string[],
    staleReason: SimulationReason,
    at: number,
  ): ReturnType<SimulationRepository['outdate']> {
    const simulations = this.#simulations.of(tx);
    const outdated: { readonly id: SimulationId; readonly planId: PlanId }[] = [];
    for (const simulation of [...simulations.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const { id, planId } = simulation;
      if (!this.#touches(planId, environmentId, targets)) continue;
      if (simulation.state === 'running')
        simulations.set(id, { ...simulation, fence: simulation.fence + 1, nextAt: at });
      if (simulation.state !== 'succeeded') continue;
      simulations.set(id, { ...simulation, state: 'stale', staleReason, nextAt: null });
      outdated.push({ id, planId });
    }
    return Promise.resolve(outdated);
  }

  #touches(planId: PlanId, environmentId: EnvironmentId, targets: readonly string[]): boolean {
    const plan = this.touched.get(planId);
    if (plan?.environmentId !== environmentId) return false;
    return plan.targets.some((target) => isWhole(target) || targets.some((one) => one === target || isWhole(one)));
  }

  #of(tx: Tx, planId: PlanId, page: PageRequest = { limit: Infinity, after: null }): readonly Simulation[] {
    const ofPlan = [...this.#simulations.of(tx).values()].filter((simulation) => simulation.planId === planId);
    return fakePage(ofPlan, ({ createdAt }) => createdAt, page);
  }
}
