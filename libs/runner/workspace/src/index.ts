/**
 * The tools of the runner for files and git, in one folder of the machine that the runner is on.
 *
 * Owns the shape of a runner's tool and the edge around each. Owns the confined access to the root, and the snapshots
 * before writes.
 *
 * Invariants: no tool reads or writes outside its root, even if another program changes the tree meanwhile. Every write has a
 * snapshot on the disk before it begins. git executes nothing that the repository configures. An ordinary failure never throws:
 * it is an outcome with a stable code.
 *
 * Limits: Linux alone. A folder that somebody moves out of the root while it is open stays open, wherever it is then.
 * Scripts of package.json execute code of the workspace in the sandbox. Without one they have the runner's rights, if
 * its operator accepted that.
 *
 * Never decides whether a call may go on: the plane does, and the runner verifies its grant. Never assigns a risk that counts: the
 * tenant's registry does.
 */
export { createWorkspace } from './create-workspace.js';
export { defineTool, type ToolSource } from './define-tool.js';
export { isTimeout } from './domain/is-timeout.js';
export {
  DEFAULT_LIMITS,
  type OutputChunk,
  type RunnerTool,
  type ToolContext,
  type ToolLimits,
  type ToolOutcome,
} from './domain/runner-tool.js';
export { textOf } from './domain/text.js';
export { ToolRefusal, type RefusalEffect } from './domain/tool-refusal.js';
export { namesOf } from './domain/workspace-path.js';
export type { Folder } from './files/folder.js';
export { atEntry, withRoot } from './files/locate.js';
export { walkFolder, type WalkedEntry } from './files/walk-folder.js';
export { ProgramGroups } from './programs/program-groups.js';
export { runProgram } from './programs/run-program.js';
export { findSandbox } from './sandbox/find-sandbox.js';
export { isOfTheSystem } from './sandbox/hidden-homes.js';
export {
  sandboxArguments,
  withoutSandbox,
  type Sandbox,
  type SandboxChoice,
  type SandboxView,
} from './sandbox/sandbox.js';
export { Snapshots, type SnapshotContext, type TakenSnapshot } from './snapshots/snapshots.js';
export { documentOf } from './tools/categories.js';
export { pathSchema } from './tools/path-schema.js';
export { TOOL_SECONDS, type FetchPort, type WorkspaceSettings } from './tools/settings.js';
export { Turns } from './tools/turns.js';
