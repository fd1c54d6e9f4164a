import { type Json, parseStrictJson } from '#lib/canonical';
import type { DigestKind, PlanId, Tx } from '#lib/kernel';
import type { SimulationRepository } from './simulation.ports.js';

/** Most simulations of one plan that its evidence holds, newest first. */
const MAX_SIMULATIONS = 100;

/** The part of simulations in the evidence of a plan: every result, stale ones too. */
export class SimulationEvidence {
  readonly section = 'simulation';

  constructor(private readonly simulations: SimulationRepository) {}

  async collect(
    tx: Tx,
    planId: PlanId,
  ): Promise<readonly { readonly kind: DigestKind; readonly id: string; readonly document: Json }[]> {
    const simulations = await this.simulations.list(tx, planId, { limit: MAX_SIMULATIONS, after: null });
    return simulations.flatMap((simulation) =>
      'output' in simulation
        ? [{ kind: 'simulation' as const, id: simulation.id, document: parseStrictJson(simulation.output.text) }]
        : [],
    );
  }
}
