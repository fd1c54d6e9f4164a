/**
 * Lifecycle hooks: at an event of a tenant's log, write an entry or execute a program on a runner.
 *
 * Owns hooks and the log of their executions. Invariants: an event is read from the audit log, after it happened, so that no agent
 * waits for a hook; each event is executed once for each hook, and a program that may have started never starts again (T27); a value of an
 * event is one whole argument or one variable, and no shell reads it; a command hook is never on without two people; no hook is
 * the cause of another.
 *
 * Never decides anything: a hook that fails is logged, and changes nothing for the agent. Which programs there are, the operator of
 * a runner decides.
 */
export { hookExecutionEntity, lifecycleHookEntity } from './adapters/lifecycle-hook.entity.js';
export { oldHookExecutions } from './adapters/sql-old-hook-executions.js';
export { ChangeHooks } from './application/change-hooks.js';
export { ReadHooksInForce, type HooksSeen } from './application/read-hooks-in-force.js';
export { ReportAgentError } from './application/report-agent-error.js';
export { documentOf, revisionOf, yamlOf } from './domain/hook-document.js';
export type { HookExecution } from './domain/hook-execution.js';
export type { LifecycleHook } from './domain/lifecycle-hook.js';
export {
  createHookRunners,
  createLifecycleHooks,
  createLifecycleHookStore,
  type LifecycleHooks,
} from './create-lifecycle-hooks.js';
