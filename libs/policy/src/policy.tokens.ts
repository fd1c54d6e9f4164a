/** Nest injection token, for what has no class of its own. */
export const DECISION_LOG = Symbol('DECISION_LOG');
