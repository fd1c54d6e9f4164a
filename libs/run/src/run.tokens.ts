/** Nest injection tokens, for what has no class of its own. */
export const RUN_REPOSITORY = Symbol('RunRepository');
/** An array of {@link RunMovedListener}, of what connects the libraries. */
export const RUN_MOVED_LISTENERS = Symbol('RunMovedListeners');
