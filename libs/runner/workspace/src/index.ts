/**
 * The tools of the runner for files and git (seed 001), in one folder of the machine that the runner is on.
 *
 * Owns the shape of a runner's tool, and the edge around each: arguments, time limit, masking.
 *
 * Invariants: no tool reads or writes outside its root, even if another program changes the tree meanwhile. An ordinary
 * failure never throws: it is an outcome with a stable code.
 *
 * Never decides whether a call may go on: the plane does, and the runner verifies its grant. Never assigns a risk that counts: the
 * tenant's registry does.
 */
export { defineTool, type ToolSource } from './define-tool.js';
export {
  DEFAULT_LIMITS,
  type OutputChunk,
  type RunnerTool,
  type ToolContext,
  type ToolLimits,
  type ToolOutcome,
} from './domain/runner-tool.js';
export { ToolRefusal, type RefusalEffect } from './domain/tool-refusal.js';
