import type { AutonomyReader } from '#lib/autonomy';
import type { HaltReader } from '#lib/halt';
import type { AuditSink, RowSeals, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { EnvironmentReader } from '#lib/task';
import type { ToolRegistry } from '#lib/tool';
import { SqlSafeToolRepository } from './adapters/sql-safe-tool.repository.js';
import { AcceptTool } from './application/accept-tool.js';
import { ReadSafeTools } from './application/read-safe-tools.js';
import { RemoveSafeTool } from './application/remove-safe-tool.js';

export interface AutomationDeps {
  readonly uow: UnitOfWork;
  readonly seals: RowSeals;
  readonly audit: AuditSink;
  readonly twoPersonRule: TwoPersonRule;
  readonly policy: PolicyDecisionPoint;
  readonly autonomy: AutonomyReader;
  readonly environments: EnvironmentReader;
  readonly halts: HaltReader;
  readonly tools: ToolRegistry;
}

/** Automations, and the tools that are safe for them. */
export function createAutomations(deps: AutomationDeps) {
  const { uow, seals, audit, twoPersonRule, policy, autonomy, environments, halts, tools } = deps;
  const entries = new SqlSafeToolRepository(seals);
  return {
    acceptTool: new AcceptTool(uow, entries, tools, twoPersonRule, audit),
    removeSafeTool: new RemoveSafeTool(uow, entries, audit),
    readSafeTools: new ReadSafeTools({ uow, entries, tools, environments, autonomy, halts, policy }),
  };
}
