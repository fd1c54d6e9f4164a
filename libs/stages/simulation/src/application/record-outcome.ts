import type { RunId, SimulationId, Tx } from '#lib/kernel';
import { type ActualCall, compareOutcome } from '../domain/outcome.js';
import type { SimulationOutcomeRepository, SimulationRepository } from './simulation.ports.js';

/** Keeps predicted and actual effects side by side when a run ends. */
export class RecordOutcome {
  constructor(
    private readonly simulations: SimulationRepository,
    private readonly outcomes: SimulationOutcomeRepository,
  ) {}

  /** In the transaction that ends the run. A simulation without a result leaves nothing to compare. */
  async recordOutcome(
    tx: Tx,
    run: { readonly runId: RunId; readonly simulationId: SimulationId; readonly calls: readonly ActualCall[] },
  ): Promise<void> {
    const simulation = await this.simulations.find(tx, run.simulationId);
    if (simulation === null || !('output' in simulation)) return;
    await this.outcomes.insert(tx, run.runId, compareOutcome(simulation.id, simulation.output.value, run.calls));
  }
}
