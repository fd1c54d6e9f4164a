import type { Dispatch } from '#lib/dispatch';
import type { AuditSink, JobQueue, LogFollowing, LoggedEvent, RowSeals, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import { RunnerHooks } from './adapters/runner-hooks.js';
import { SqlAgentReports } from './adapters/sql-agent-reports.js';
import { SqlHookExecutions } from './adapters/sql-hook-executions.js';
import { SqlHookedCallers } from './adapters/sql-hooked-callers.js';
import { TypeormHooks } from './adapters/typeorm-hooks.js';
import { ChangeHooks } from './application/change-hooks.js';
import { EndHooksForRestore } from './application/end-hooks-for-restore.js';
import { ExecuteHook, type ExecuteHookParts } from './application/execute-hook.js';
import type { HookedCalls } from './application/lifecycle-hook.ports.js';
import { ReadHooksInForce } from './application/read-hooks-in-force.js';
import { ReportAgentError } from './application/report-agent-error.js';
import { WriteExecutions } from './application/write-executions.js';

export interface LifecycleHookDeps {
  readonly uow: UnitOfWork;
  readonly jobs: JobQueue;
  readonly seals: RowSeals;
  readonly audit: AuditSink;
  readonly twoPersonRule: TwoPersonRule;
  readonly following: LogFollowing;
  readonly dispatch: Pick<Dispatch, 'dispatcher' | 'keptAnswers'>;
  readonly isHalted: ExecuteHookParts['isHalted'];
  readonly calls: HookedCalls;
  /** The events that webhooks have for an entry of the log. */
  readonly eventsOf: (logged: LoggedEvent) => readonly string[];
}

/** Lifecycle hooks. */
export type LifecycleHooks = ReturnType<typeof createLifecycleHooks>;

/** The use cases of lifecycle hooks, over PostgreSQL. */
export function createLifecycleHooks(deps: LifecycleHookDeps) {
  const { uow, jobs, audit, twoPersonRule, following, calls, eventsOf } = deps;
  const hooks = new TypeormHooks(deps.seals);
  const executions = new SqlHookExecutions();
  return {
    follower: new WriteExecutions({
      ...{ hooks, executions, calls, eventsOf, jobs, audit },
      callers: new SqlHookedCallers(),
    }),
    changeHooks: new ChangeHooks(uow, { hooks, executions, following, twoPersonRule, audit }),
    readHooksInForce: new ReadHooksInForce(uow, hooks, executions),
    executeHook: new ExecuteHook(uow, {
      executions,
      runners: new RunnerHooks(deps.dispatch),
      audit,
      isHalted: deps.isHalted,
    }),
    restore: new EndHooksForRestore(executions),
    reportAgentError: new ReportAgentError(uow, new SqlAgentReports(), audit),
  };
}
