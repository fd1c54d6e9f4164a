/** Nest injection tokens, for what has no class of its own. */
export const SIMULATION_REPOSITORY = Symbol('SimulationRepository');
export const SIMULATION_OUTCOMES = Symbol('SimulationOutcomeRepository');
