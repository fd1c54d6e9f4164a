import type { PlanId, Tx } from '#lib/kernel';
import type { SimulationRepository } from '#lib/simulation';
import type { SubjectSimulation } from '../domain/approval-subject.js';
import type { PlanSimulations } from './approval.ports.js';

/** The prediction that counts, from the fake of the earlier stage. */
export class FakePlanSimulations implements PlanSimulations {
  constructor(private readonly simulations: Pick<SimulationRepository, 'counting'>) {}

  async counting(tx: Tx, planId: PlanId): Promise<SubjectSimulation | null> {
    const found = await this.simulations.counting(tx, planId);
    if (found === null) return null;
    const output = 'output' in found ? found.output : null;
    return {
      id: found.id,
      planDigest: found.planDigest,
      state: found.state,
      digest: output?.digest ?? null,
      result: output?.value ?? null,
      finishedAt: 'finishedAt' in found ? found.finishedAt : null,
    };
  }
}
