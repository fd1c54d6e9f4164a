import type { AuditSink, RowSeals, UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import { SqlCallFacts } from './adapters/sql-call-facts.js';
import { AuthorizeToolCall } from './application/authorize-tool-call.js';

export interface ToolCallDeps {
  readonly uow: UnitOfWork;
  readonly seals: RowSeals;
  readonly policy: PolicyDecisionPoint;
  readonly audit: AuditSink;
}

export function createToolCalls({ uow, seals, policy, audit }: ToolCallDeps) {
  return { authorizeToolCall: new AuthorizeToolCall(uow, new SqlCallFacts(seals), policy, audit) };
}
