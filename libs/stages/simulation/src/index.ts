/**
 * Simulations: the predicted effects of a plan, computed by the tenant's own simulation tools. The third stage of the
 * main job.
 *
 * Invariants: a result is bound to the digest of exactly one expanded plan; it comes from tools called with the very
 * arguments that would be executed; it stops counting when it is too old, or when a run has touched its targets; an
 * attempt that was overtaken writes nothing.
 *
 * Never calls a tool that changes anything, and never decides whether a prediction is good enough: policy and people do.
 */
export { simulationEntity, simulationOutcomeEntity } from './adapters/simulation.entity.js';
export {
  GetSimulation,
  ListSimulations,
  ReadAccuracy,
  type ExplainedSimulation,
} from './application/read-simulations.js';
export { RecordOutcome } from './application/record-outcome.js';
export { SimulationFreshness } from './application/simulation-freshness.js';
export type { SimulationRepository } from './application/simulation.ports.js';
export { StartSimulation } from './application/start-simulation.js';
export type { AccuracyRow, ActualCall } from './domain/outcome.js';
export type { Simulation } from './domain/simulation.js';
export { SIMULATION_TRANSITIONS } from './domain/simulation-transitions.js';
export { createSimulations, createSimulationStore, type Simulations } from './create-simulations.js';
