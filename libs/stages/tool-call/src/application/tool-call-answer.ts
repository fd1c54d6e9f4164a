import type { ApprovalRepository } from '#lib/approval';
import type { Json } from '#lib/canonical';
import type { ToolCallDecision, ToolCallState, Decision } from '#lib/formats';
import type {
  ApprovalRequestId,
  DecisionId,
  Digest,
  FieldError,
  Principal,
  SessionId,
  ToolCallId,
  Tx,
} from '#lib/kernel';
import { noDecision, type DecisionLog } from '#lib/policy';
import type { PathVerdict, ShellVerdict } from '#lib/shell-safety';
import { standing } from '../domain/call-changes.js';
import type { CallExecutor, CallFault, ToolCall, ToolCallProgress } from '../domain/tool-call.js';
import type { UnjudgedCall } from '../domain/unjudged-call.js';

/** The course of a call that left. Times are epoch milliseconds. */
export interface CallExecution {
  /** Counts its dispatches, from 1. */
  readonly attempt: number;
  readonly dispatchedAt: number;
  /** Until when its answer is awaited; null after it. */
  readonly leaseUntil: number | null;
  readonly finishedAt: number | null;
  /** Masked. */
  readonly result: Json;
  readonly error: CallFault | null;
}

/** The answer to a call. Times are epoch milliseconds. */
export interface ToolCallAnswer {
  readonly id: ToolCallId;
  readonly sessionId: SessionId | null;
  readonly state: ToolCallState;
  /** Null while it is pending. */
  readonly decidedAs: ToolCallDecision | null;
  /** The policy decision. */
  readonly decision: Decision;
  /** Null if a fact was missing to put to the policies. Then the audit entry records the deny, and no read finds the call. */
  readonly decisionId: DecisionId | null;
  readonly bundleRevision: string;
  readonly toolVersion: number | null;
  readonly argumentsDigest: Digest | null;
  /** The verdict on its command line; null for a tool that takes none, or without arguments that fit. */
  readonly shell: ShellVerdict | null;
  /** The verdict on the paths that it names; null for a tool that names none, or without arguments that fit. */
  readonly paths: PathVerdict | null;
  /** The errors of the arguments; pointers are relative to the arguments. */
  readonly errors: readonly FieldError[];
  /** The approval request, if people are or were asked. */
  readonly requestId: ApprovalRequestId | null;
  /** The end of the time to answer a pending call; null for any other. */
  readonly expiresAt: number | null;
  /** Null while it is pending. */
  readonly decidedAt: number | null;
  /** The reason for its denial, if not by policies. */
  readonly denial: CallFault | null;
  /** Until when an allowed call may be taken up; null for one that is pending or denied. */
  readonly allowedUntil: number | null;
  /** The maker of the call: its executor, or the agent that asked. Null if it has no executor, or no row. */
  readonly answeredBy: CallExecutor['answeredBy'] | null;
  /** Null before it left. */
  readonly execution: CallExecution | null;
}

type Outcome =
  | 'state'
  | 'requestId'
  | 'decidedAs'
  | 'decidedAt'
  | 'denial'
  | 'allowedUntil'
  | 'answeredBy'
  | 'execution';

/** The members of an answer that follow from the state. */
export const outcomeOf = (call: ToolCallProgress & Pick<ToolCall, 'executor'>): Pick<ToolCallAnswer, Outcome> => ({
  state: call.state,
  requestId: call.requestId,
  decidedAs: call.state === 'pending' ? null : call.decidedAs,
  decidedAt: call.state === 'pending' ? null : call.decidedAt,
  denial: 'denial' in call ? call.denial : null,
  allowedUntil: 'allowedUntil' in call ? call.allowedUntil : null,
  answeredBy: call.executor?.answeredBy ?? null,
  execution: executionOf(call),
});

function executionOf(call: ToolCallProgress): CallExecution | null {
  if (!('attempt' in call)) return null;
  return {
    attempt: call.attempt,
    dispatchedAt: call.dispatchedAt,
    leaseUntil: call.state === 'executing' ? call.leaseUntil : null,
    finishedAt: call.state === 'executing' ? null : call.finishedAt,
    result: 'result' in call ? call.result : null,
    error: 'error' in call ? call.error : null,
  };
}

/** The answer to a call that lacked a fact, as it was given. */
export const unjudgedAnswer = (call: UnjudgedCall): ToolCallAnswer => ({
  ...{ id: call.id, sessionId: call.sessionId, decision: noDecision(call.code), decisionId: null },
  ...{ bundleRevision: call.bundleRevision, toolVersion: call.tool.version, errors: call.errors },
  ...{ argumentsDigest: null, shell: null, paths: null, expiresAt: null },
  ...outcomeOf({ state: 'denied', requestId: null, decidedAs: 'denied', decidedAt: call.askedAt, executor: null }),
});

/** Answers about calls that are kept. */
export class ToolCallAnswers {
  constructor(
    private readonly decisions: Pick<DecisionLog, 'find'>,
    private readonly requests: Pick<ApprovalRepository, 'find'>,
  ) {}

  async of(tx: Tx, call: ToolCall): Promise<ToolCallAnswer> {
    const { id, sessionId, decisionId, argumentsDigest, shell, paths } = call;
    const logged = await this.decisions.find(tx, decisionId);
    if (logged === null) throw new Error(`the decision of the tool call ${id} is not there`);
    const { decision, bundleRevision } = logged;
    const request = call.state === 'pending' ? await this.requests.find(tx, call.requestId) : null;
    return {
      ...{ id, sessionId, decision, decisionId, bundleRevision, argumentsDigest, shell, paths, errors: [] },
      ...outcomeOf(call.state === 'allowed' ? standing(call, await tx.now()) : call),
      toolVersion: call.tool.version,
      expiresAt: request?.expiresAt ?? null,
    };
  }
}

/** An agent reads its own calls. People read all, as they read sessions. */
export const mayReadCall = (by: Principal, { submitter }: Pick<ToolCall, 'submitter'>): boolean =>
  by.kind !== 'agent' || (submitter.kind === 'agent' && submitter.id === by.agentId);
