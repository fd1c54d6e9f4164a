/** Nest injection tokens of the ports that others use. */
export const TOOL_REGISTRY = Symbol('TOOL_REGISTRY');
export const EXECUTOR_DIRECTORY = Symbol('EXECUTOR_DIRECTORY');
