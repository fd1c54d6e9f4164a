import type { AuditSink, RowSeals, UnitOfWork } from '#lib/kernel';
import { SqlDecisionLog, type PolicyDecisionPoint } from '#lib/policy';
import { SqlCallFacts } from './adapters/sql-call-facts.js';
import { TypeormToolCallRepository } from './adapters/typeorm-tool-call.repository.js';
import { GetToolCall } from './application/get-tool-call.js';
import { SubmitToolCall, type SubmitToolCallDeps } from './application/submit-tool-call.js';

export interface ToolCallDeps {
  readonly uow: UnitOfWork;
  readonly seals: RowSeals;
  readonly sessions: SubmitToolCallDeps['sessions'];
  readonly policy: PolicyDecisionPoint;
  readonly audit: AuditSink;
}

export function createToolCalls({ uow, seals, sessions, policy, audit }: ToolCallDeps) {
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
  };
}
