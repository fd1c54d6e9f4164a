import { actorOf, type AuditSink, type EnvironmentId, type Principal, type RunId, type Tx } from '#lib/kernel';
import type { SimulationReason } from '../domain/simulation.js';
import type { SimulationRepository } from './simulation.ports.js';

/** Outdates predictions once a run touches their targets. */
export class SimulationFreshness {
  constructor(
    private readonly simulations: SimulationRepository,
    private readonly audit: AuditSink,
  ) {}

  /**
   * Call it in the transaction that first touches targets. Every result about them becomes stale, of the run's own plan
   * too. A simulation in progress starts over. A target of the environment as a whole touches all.
   */
  async outdateSimulations(
    tx: Tx,
    environmentId: EnvironmentId,
    targets: readonly string[],
    reason: SimulationReason & { readonly principal: Principal; readonly runId: RunId; readonly at: number },
  ): Promise<void> {
    const { code, message, principal, runId, at } = reason;
    const stale = { code, message, details: { run_id: runId } };
    const outdated = await this.simulations.outdate(tx, environmentId, targets, stale, at);
    for (const simulation of outdated) {
      await this.audit.record(tx, {
        action: 'simulation.outdated',
        actor: actorOf(principal),
        level: 'detailed',
        subject: { type: 'simulation', id: simulation.id },
        within: [{ type: 'plan', id: simulation.planId }],
        payload: { code, message, run_id: runId },
      });
    }
  }
}
