/** Nest injection tokens, for what has no class of its own. */
export const HALT_READER = Symbol('HaltReader');
/** The run engine, as `RunPauser` and `InFlightReader`. */
export const HALTED_RUNS = Symbol('HaltedRuns');
