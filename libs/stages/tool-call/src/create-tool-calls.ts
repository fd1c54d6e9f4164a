import type { Approvals } from '#lib/approval';
import type { AutonomyReader } from '#lib/autonomy';
import type { ExecutorKinds, IssueGrant, KeptAnswers, ToolDispatcher } from '#lib/dispatch';
import type { HaltReader } from '#lib/halt';
import type { AgentRepository, CredentialRepository } from '#lib/identity';
import type { AuditSink, JobQueue, RowSeals, UnitOfWork } from '#lib/kernel';
import type { DecisionLog, PolicyDecisionPoint } from '#lib/policy';
import type { Sessions } from '#lib/session';
import type { EnvironmentReader } from '#lib/task';
import type { SealedTexts } from '#lib/tenancy';
import type { Tools } from '#lib/tool';
import { SqlAgentPeople } from './adapters/sql-agent-people.js';
import { SqlCallFacts } from './adapters/sql-call-facts.js';
import { SqlCallOutputStore } from './adapters/sql-call-output.store.js';
import { SqlSubmitterStanding } from './adapters/sql-submitter-standing.js';
import { SqlToolCallRepository } from './adapters/sql-tool-call.repository.js';
import type { AgentPeople } from './application/agent-people.port.js';
import type { CallFactsReader } from './application/call-facts.port.js';
import type { CallOutputStore } from './application/call-output.port.js';
import type { SubmitterStanding } from './application/submitter-standing.port.js';
import type { ToolCallRepository } from './application/tool-call.port.js';
import { AppendCallOutput } from './application/append-call-output.js';
import { CallJournal } from './application/call-journal.js';
import type { EnclosingSubjects } from './application/enclosing-subjects.port.js';
import { CancelToolCall } from './application/cancel-tool-call.js';
import { CountSessionCalls } from './application/count-session-calls.js';
import { DenyPendingCalls } from './application/deny-pending-calls.js';
import { DispatchToolCall } from './application/dispatch-tool-call.js';
import { ExecuteToolCall } from './application/execute-tool-call.js';
import { GetToolCall } from './application/get-tool-call.js';
import { JudgeAutomationCall } from './application/judge-automation-call.js';
import { JudgeToolCall } from './application/judge-tool-call.js';
import { LimitCalls } from './application/limit-calls.js';
import { ListSessionCalls } from './application/list-session-calls.js';
import { MakeAutomationCall } from './application/make-automation-call.js';
import { ReadCallEnd } from './application/read-call-end.js';
import { ReadCallOutput } from './application/read-call-output.js';
import { RecordCallAnswer } from './application/record-call-answer.js';
import { RecordKeptCallAnswer } from './application/record-kept-call-answer.js';
import { ReportToolCall } from './application/report-tool-call.js';
import { ResolveToolCall } from './application/resolve-tool-call.js';
import { SessionEvidence } from './application/session-evidence.js';
import { SettleToolCall } from './application/settle-tool-call.js';
import { StopCalls } from './application/stop-calls.js';
import { StopForRestore } from './application/stop-for-restore.js';
import { SubmitToolCall } from './application/submit-tool-call.js';
import { TakeBackAutomationCalls } from './application/take-back-automation-calls.js';
import { TakeToolCall } from './application/take-tool-call.js';
import { ToolCallAnswers } from './application/tool-call-answer.js';
import { ToolCallJournal } from './application/tool-call-journal.js';
import { ToolCallSubjects, type NoWayBack } from './application/tool-call-subjects.js';

/** The stored calls with their output, and the facts of others that they rest on. */
export interface ToolCallRows {
  readonly calls: ToolCallRepository;
  readonly facts: CallFactsReader;
  readonly agentPeople: AgentPeople;
  readonly submitters: SubmitterStanding;
  readonly output: CallOutputStore;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export const createToolCallStore = (seals: RowSeals, texts: SealedTexts): ToolCallRows => ({
  calls: new SqlToolCallRepository(seals),
  facts: new SqlCallFacts(seals),
  agentPeople: new SqlAgentPeople(),
  submitters: new SqlSubmitterStanding(),
  output: new SqlCallOutputStore(texts),
});

export interface ToolCallDeps {
  readonly uow: UnitOfWork;
  readonly jobs: JobQueue;
  readonly rows: ToolCallRows;
  readonly audit: AuditSink;
  readonly policy: PolicyDecisionPoint;
  readonly decisions: Pick<DecisionLog, 'find'>;
  readonly autonomy: AutonomyReader;
  readonly environments: EnvironmentReader;
  readonly agents: Pick<AgentRepository, 'find'>;
  readonly credentials: Pick<CredentialRepository, 'actsForAutomation'>;
  readonly tool: Pick<Tools, 'tools' | 'executors'>;
  readonly halts: HaltReader;
  readonly noWayBack: NoWayBack;
  readonly session: Pick<Sessions, 'sessions' | 'access' | 'trusts' | 'trustCall'>;
  readonly approval: Pick<
    Approvals,
    'requests' | 'claims' | 'openCallRequest' | 'callReviewers' | 'voidRequests' | 'approvalEvidence'
  >;
  readonly enclosing: EnclosingSubjects;
  readonly executorKinds: ExecutorKinds;
  readonly dispatcher: ToolDispatcher;
  readonly keptAnswers: KeptAnswers;
  readonly grants: Pick<IssueGrant, 'ahead' | 'fetch' | 'wasIssued'>;
  /** How much longer than a tool's time limit its answer is awaited, in milliseconds. */
  readonly leaseMarginMs: number;
}

/** Single tool calls. */
export type ToolCalls = ReturnType<typeof createToolCalls>;

export function createToolCalls(deps: ToolCallDeps) {
  const { jobs, executorKinds, dispatcher, keptAnswers, grants, leaseMarginMs } = deps;
  const { uow, audit, policy, autonomy, environments, agents, tool, halts, session, approval } = deps;
  const { calls, facts, agentPeople, submitters, output } = deps.rows;
  const { requests, claims, openCallRequest, voidRequests } = approval;
  const answers = new ToolCallAnswers(deps.decisions, requests);
  const journal = new ToolCallJournal(audit);
  const subjects = new ToolCallSubjects({
    ...{ policy, autonomy, environments, halts, calls, requests, claims, executorKinds, noWayBack: deps.noWayBack },
    tools: tool.tools,
    executors: tool.executors,
    sessions: session.sessions,
    agents: agentPeople,
  });
  const course = new CallJournal(audit, deps.enclosing);
  const recording = new RecordCallAnswer(calls, session.sessions, course, output);
  const recovering = new RecordKeptCallAnswer(calls, recording, keptAnswers);
  const limits = new LimitCalls(calls, audit);
  const judgeAutomationCall = new JudgeAutomationCall(policy, facts, executorKinds);
  const dispatching = new DispatchToolCall({
    calls,
    facts,
    halts,
    executors: tool.executors,
    submitters,
    journal: course,
    executorKinds,
    leaseMarginMs,
  });
  return {
    subjects,
    anyInFlight: (...session: Parameters<typeof calls.anyInFlight>) => calls.anyInFlight(...session),
    settleToolCall: new SettleToolCall(calls, jobs, journal, session.sessions, session.trustCall),
    stopCalls: new StopCalls(calls, new DenyPendingCalls(calls, voidRequests), course),
    restore: new StopForRestore(calls, course, output),
    submitToolCall: new SubmitToolCall({
      ...{ uow, jobs, executorKinds, calls, subjects, answers, journal, facts },
      sessions: session.access,
      limits,
      judge: new JudgeToolCall(policy, session.trusts, agentPeople, approval.callReviewers),
      bundleRevision: policy.bundleRevision,
      openRequest: openCallRequest,
    }),
    judgeAutomationCall,
    makeAutomationCall: new MakeAutomationCall({
      ...{ jobs, calls, limits, executorKinds, journal },
      judge: judgeAutomationCall,
      bundleRevision: policy.bundleRevision,
    }),
    takeBackAutomationCalls: new TakeBackAutomationCalls(calls, deps.credentials, course),
    callEnds: new ReadCallEnd(calls),
    getToolCall: new GetToolCall(uow, calls, answers),
    sessionEvidence: new SessionEvidence(calls, approval.approvalEvidence),
    countSessionCalls: new CountSessionCalls(uow, calls),
    listSessionCalls: new ListSessionCalls(uow, session.access, calls, tool.tools, subjects),
    executeToolCall: new ExecuteToolCall({
      ...{ uow, calls, dispatching, grants, dispatcher, recovering },
      answers: recording,
      journal: course,
    }),
    recordKept: recovering,
    takeToolCall: new TakeToolCall(uow, calls, dispatching, grants, course),
    reportToolCall: new ReportToolCall(uow, calls, recording, grants, answers),
    appendCallOutput: new AppendCallOutput(uow, calls, output),
    readCallOutput: new ReadCallOutput(uow, calls, output),
    resolveToolCall: new ResolveToolCall(uow, calls, course, answers),
    cancelToolCall: new CancelToolCall({ uow, calls, agents, requests: voidRequests, answers, journal: course }),
  };
}
