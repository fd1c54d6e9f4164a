import type { RunId, SimulationId, Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { SimulationOutcome } from '../domain/outcome.js';
import type { SimulationOutcomeRepository } from './simulation.ports.js';

/** The store of outcomes, and ways to keep the rows of the tenant `home` that outcomes refer to. */
interface OutcomesOpened {
  readonly world: ContractWorld;
  readonly outcomes: SimulationOutcomeRepository;
  keepSimulation(): Promise<SimulationId>;
  keepRun(): Promise<RunId>;
}

/** The contract of a store of outcomes. */
export function describeSimulationOutcomeRepository(name: string, open: () => Promise<OutcomesOpened>): void {
  describe(`${name} keeps the contract of SimulationOutcomeRepository`, () => {
    let opened: OutcomesOpened;
    let world: ContractWorld;
    let outcomes: SimulationOutcomeRepository;
    let simulationId: SimulationId;
    beforeAll(async () => {
      opened = await open();
      ({ world, outcomes } = opened);
      simulationId = await opened.keepSimulation();
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    /** Inserts the outcomes of a new run. */
    const inserted = async (all: readonly SimulationOutcome[]): Promise<RunId> => {
      const runId = await opened.keepRun();
      await atHome((tx) => outcomes.insert(tx, runId, all));
      return runId;
    };
    const outcome = (tool: string, predicted: number, actual: number, failed = 0): SimulationOutcome => ({
      simulationId,
      tool,
      predicted: { calls: 2, affected_assets: predicted, duration_minutes: 1.5, risk: 'medium' },
      actual: { calls: 2, failed, affected_assets: actual, duration_minutes: 0.25 },
    });

    it('adds the outcomes of all runs up, by tool, for the tenant alone', async () => {
      await inserted([outcome('rollout', 5, 5), outcome('drain', 3, 4)]);
      await inserted([outcome('rollout', 7, 2, 1)]);
      await inserted([]);
      expect(await atHome((tx) => outcomes.accuracy(tx))).toEqual([
        {
          tool: 'drain',
          runs: 1,
          calls: 2,
          failedCalls: 0,
          predictedAssets: 3,
          actualAssets: 4,
          exactRuns: 0,
          predictedMinutes: 1.5,
          actualMinutes: 0.25,
        },
        {
          tool: 'rollout',
          runs: 2,
          calls: 4,
          failedCalls: 1,
          predictedAssets: 12,
          actualAssets: 7,
          exactRuns: 1,
          predictedMinutes: 3,
          actualMinutes: 0.5,
        },
      ]);
      expect(await world.uow.run(world.other.tenantId, (tx) => outcomes.accuracy(tx))).toEqual([]);
    });

    it('refuses a second outcome of a tool in one run (23505)', async () => {
      const runId = await inserted([outcome('restart', 1, 1)]);
      const again = atHome((tx) => outcomes.insert(tx, runId, [outcome('restart', 1, 1)]));
      await expect(again).rejects.toMatchObject({ code: '23505' });
    });
  });
}
