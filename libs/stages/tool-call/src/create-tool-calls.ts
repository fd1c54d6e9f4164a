import type { AuditSink, RowSeals, UnitOfWork } from '#lib/kernel';
import { SqlDecisionLog, type PolicyDecisionPoint } from '#lib/policy';
import type { SessionAccess } from '#lib/session';
import { SqlCallFacts } from './adapters/sql-call-facts.js';
import { TypeormToolCallRepository } from './adapters/typeorm-tool-call.repository.js';
import type { ToolRegistry } from '#lib/tool';
import { GetToolCall } from './application/get-tool-call.js';
import { ListSessionCalls } from './application/list-session-calls.js';
import { SubmitToolCall } from './application/submit-tool-call.js';

export interface ToolCallDeps {
  readonly uow: UnitOfWork;
  readonly seals: RowSeals;
  readonly sessions: Pick<SessionAccess, 'toUse' | 'toRead'>;
  readonly tools: Pick<ToolRegistry, 'get'>;
  readonly policy: PolicyDecisionPoint;
  readonly audit: AuditSink;
}

export function createToolCalls({ uow, seals, sessions, tools, policy, audit }: ToolCallDeps) {
  const [calls, decisions] = [new TypeormToolCallRepository(seals), new SqlDecisionLog()];
  return {
    submitToolCall: new SubmitToolCall({
      uow,
      sessions,
      facts: new SqlCallFacts(seals),
      calls,
      policy,
      decisions,
      audit,
    }),
    getToolCall: new GetToolCall(uow, calls, decisions),
    listSessionCalls: new ListSessionCalls(uow, sessions, calls, tools),
  };
}
