/** Nest injection tokens, for what has no class of its own. */
export const RUN_REPOSITORY = Symbol('RunRepository');
