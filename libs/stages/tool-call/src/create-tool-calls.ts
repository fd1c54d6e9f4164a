import type { Approvals } from '#lib/approval';
import type { AutonomyReader } from '#lib/autonomy';
import type { HaltReader } from '#lib/halt';
import type { AgentRepository } from '#lib/identity';
import type { AuditSink, RowSeals, UnitOfWork } from '#lib/kernel';
import { SqlDecisionLog, type PolicyDecisionPoint } from '#lib/policy';
import type { Sessions } from '#lib/session';
import type { EnvironmentReader } from '#lib/task';
import type { Tools } from '#lib/tool';
import { SqlAgentPeople } from './adapters/sql-agent-people.js';
import { SqlCallFacts } from './adapters/sql-call-facts.js';
import { TypeormToolCallRepository } from './adapters/typeorm-tool-call.repository.js';
import { CancelToolCall } from './application/cancel-tool-call.js';
import { DenyPendingCalls } from './application/deny-pending-calls.js';
import { GetToolCall } from './application/get-tool-call.js';
import { JudgeToolCall } from './application/judge-tool-call.js';
import { ListSessionCalls } from './application/list-session-calls.js';
import { SettleToolCall } from './application/settle-tool-call.js';
import { SubmitToolCall } from './application/submit-tool-call.js';
import { ToolCallAnswers } from './application/tool-call-answer.js';
import { ToolCallJournal } from './application/tool-call-journal.js';
import { ToolCallSubjects } from './application/tool-call-subjects.js';

export interface ToolCallDeps {
  readonly uow: UnitOfWork;
  readonly seals: RowSeals;
  readonly audit: AuditSink;
  readonly policy: PolicyDecisionPoint;
  readonly autonomy: AutonomyReader;
  readonly environments: EnvironmentReader;
  readonly agents: Pick<AgentRepository, 'find'>;
  readonly tool: Pick<Tools, 'tools' | 'executors'>;
  readonly halts: HaltReader;
  readonly session: Pick<Sessions, 'sessions' | 'access'>;
  readonly approval: Pick<Approvals, 'requests' | 'claims' | 'openCallRequest' | 'voidRequests'>;
}

/** Single tool calls. */
export type ToolCalls = ReturnType<typeof createToolCalls>;

export function createToolCalls(deps: ToolCallDeps) {
  const { uow, seals, audit, policy, autonomy, environments, agents, tool, halts, session, approval } = deps;
  const calls = new TypeormToolCallRepository(seals);
  const { requests, claims, openCallRequest, voidRequests } = approval;
  const answers = new ToolCallAnswers(new SqlDecisionLog(), requests);
  const journal = new ToolCallJournal(audit);
  const subjects = new ToolCallSubjects({
    ...{ policy, autonomy, environments, halts, calls, requests, claims },
    tools: tool.tools,
    executors: tool.executors,
    sessions: session.sessions,
    agents: new SqlAgentPeople(),
  });
  return {
    subjects,
    settleToolCall: new SettleToolCall(calls, journal),
    denyPendingCalls: new DenyPendingCalls(calls, voidRequests),
    submitToolCall: new SubmitToolCall({
      ...{ uow, calls, subjects, answers, journal },
      sessions: session.access,
      facts: new SqlCallFacts(seals),
      judge: new JudgeToolCall(policy),
      bundleRevision: policy.bundleRevision,
      openRequest: openCallRequest,
    }),
    getToolCall: new GetToolCall(uow, calls, answers),
    listSessionCalls: new ListSessionCalls(uow, session.access, calls, tool.tools),
    cancelToolCall: new CancelToolCall({ uow, calls, agents, requests: voidRequests, answers, journal }),
  };
}
