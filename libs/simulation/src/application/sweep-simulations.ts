import type { SystemQuery } from '#lib/database';
import type { SimulationId } from '#lib/kernel';
import type { ExecuteSimulation } from './execute-simulation.js';

/** Most simulations of one sweep. */
const AT_MOST = 20;

/** Finds the simulations whose time has come, whatever became of their jobs: no job is load-bearing. */
export class SweepSimulations {
  constructor(
    private readonly system: SystemQuery,
    private readonly executeSimulation: ExecuteSimulation,
  ) {}

  /**
   * One sweep; the worker repeats it. One that fails does not keep the others from being looked at.
   *
   * @returns how many there were.
   * @throws {AggregateError} after all were looked at, where some could not be.
   */
  async execute(): Promise<number> {
    const due = await this.system.call('simulation_due', AT_MOST);
    const problems: unknown[] = [];
    for (const { tenantId, id } of due) {
      try {
        await this.executeSimulation.execute(tenantId, id as SimulationId);
      } catch (problem) {
        problems.push(problem);
      }
    }
    if (problems.length > 0)
      throw new AggregateError(problems, `${String(problems.length)} simulations could not be looked at`);
    return due.length;
  }
}
