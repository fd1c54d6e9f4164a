import type { Dispatch } from '#lib/dispatch';
import type { AuditSink, JobQueue, LogFollowing, LoggedEvent, RowSeals, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import { RunnerHooks } from './adapters/runner-hooks.js';
import { SqlAgentReports } from './adapters/sql-agent-reports.js';
import { SqlHookExecutions } from './adapters/sql-hook-executions.js';
import { SqlHookedCallers } from './adapters/sql-hooked-callers.js';
import { TypeormHooks } from './adapters/typeorm-hooks.js';
import type { AgentReports } from './application/agent-reports.ports.js';
import { ChangeHooks } from './application/change-hooks.js';
import { EndHooksForRestore } from './application/end-hooks-for-restore.js';
import { ExecuteHook, type ExecuteHookParts } from './application/execute-hook.js';
import type {
  ExecutionStore,
  HookedCallers,
  HookedCalls,
  HookRunners,
  HookStore,
} from './application/lifecycle-hook.ports.js';
import { ReadHooksInForce } from './application/read-hooks-in-force.js';
import { ReportAgentError } from './application/report-agent-error.js';
import { WriteExecutions } from './application/write-executions.js';

/** The stored hooks and executions, the callers that they run for, and the counts of reported errors. */
export interface LifecycleHookRows {
  readonly hooks: HookStore;
  readonly executions: ExecutionStore;
  readonly callers: HookedCallers;
  readonly reports: AgentReports;
}

/** The ports of this library that read and keep rows, over PostgreSQL. */
export const createLifecycleHookStore = (seals: RowSeals): LifecycleHookRows => ({
  hooks: new TypeormHooks(seals),
  executions: new SqlHookExecutions(),
  callers: new SqlHookedCallers(),
  reports: new SqlAgentReports(),
});

/** The way to the runners that carry out hooks. */
export const createHookRunners = (dispatch: Pick<Dispatch, 'dispatcher' | 'keptAnswers'>): HookRunners =>
  new RunnerHooks(dispatch);

export interface LifecycleHookDeps {
  readonly uow: UnitOfWork;
  readonly rows: LifecycleHookRows;
  readonly jobs: JobQueue;
  readonly audit: AuditSink;
  readonly twoPersonRule: TwoPersonRule;
  readonly following: LogFollowing;
  readonly runners: HookRunners;
  readonly isHalted: ExecuteHookParts['isHalted'];
  readonly calls: HookedCalls;
  /** The events that webhooks have for an entry of the log. */
  readonly eventsOf: (logged: LoggedEvent) => readonly string[];
}

/** Lifecycle hooks. */
export type LifecycleHooks = ReturnType<typeof createLifecycleHooks>;

export function createLifecycleHooks(deps: LifecycleHookDeps) {
  const { uow, jobs, audit, twoPersonRule, following, calls, eventsOf } = deps;
  const { hooks, executions, callers, reports } = deps.rows;
  return {
    follower: new WriteExecutions({ hooks, executions, callers, calls, eventsOf, jobs, audit }),
    changeHooks: new ChangeHooks(uow, { hooks, executions, following, twoPersonRule, audit }),
    readHooksInForce: new ReadHooksInForce(uow, hooks, executions),
    executeHook: new ExecuteHook(uow, { executions, runners: deps.runners, audit, isHalted: deps.isHalted }),
    restore: new EndHooksForRestore(executions),
    reportAgentError: new ReportAgentError(uow, reports, audit),
  };
}
