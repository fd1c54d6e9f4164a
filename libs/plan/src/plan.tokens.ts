/** Nest injection tokens, for what has no class of its own. */
export const PLAN_REPOSITORY = Symbol('PlanRepository');
/** Every `PlanSupersededListener` of the installation, as an array. */
export const PLAN_SUPERSEDED_LISTENERS = Symbol('PlanSupersededListeners');
