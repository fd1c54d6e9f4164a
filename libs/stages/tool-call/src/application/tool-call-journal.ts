import type { JsonObject } from '#lib/canonical';
import {
  actorOf,
  type AuditLevel,
  type AuditSink,
  type DecisionId,
  type FieldError,
  type Principal,
  type SessionId,
  type SubjectRef,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import type { ToolCallDecision, Outcome } from '#lib/formats';
import type { PathVerdict } from '#lib/shell-safety';
import type { Submitter } from '#lib/task';
import type { CallLine } from '../domain/call-line.js';
import type { CallPrompt } from '../domain/call-prompt.js';
import type { ToolCall } from '../domain/tool-call.js';

/** A call as an entry tells it. Facts that are missing were never put to the policies. */
export interface JournaledCall {
  readonly id: ToolCallId;
  readonly sessionId: SessionId | null;
  readonly submitter: Submitter;
  readonly tool: string;
  readonly toolVersion: number | null;
  readonly environment: string;
  readonly arguments: JsonObject;
  /** Null for arguments that did not fit. They are not kept: their secrets are unknown. */
  readonly argumentsDigest: string | null;
  readonly shell: CallLine | null;
  readonly paths: PathVerdict | null;
  readonly clientCallId: string | null;
  readonly turnId: string | null;
  readonly reason: string | null;
  /** The run of an automation that it belongs to, outermost first. Absent for the call of a session or of nothing. */
  readonly within?: readonly SubjectRef[];
}

/** How it was decided, or that it waits. */
export interface JournaledDecision {
  readonly level: AuditLevel;
  readonly decisionId: DecisionId | null;
  readonly outcome: Outcome;
  /** Null if it waits for people. */
  readonly decidedAs: ToolCallDecision | null;
  readonly reasons: readonly JsonObject[];
  readonly requestId: string | null;
  /** The "always" of a person that was used. */
  readonly trustId?: string | null;
  /** For one that waits: the prompt of the people who are asked. */
  readonly prompt?: CallPrompt | null;
  readonly errors?: readonly FieldError[];
}

/** Writes the entries of calls: that one waits for people, and the decision about each, once. */
export class ToolCallJournal {
  constructor(private readonly audit: AuditSink) {}

  record(tx: Tx, principal: Principal, call: JournaledCall, decision: JournaledDecision): Promise<void> {
    const { id, sessionId, shell, paths, argumentsDigest, clientCallId, turnId, reason } = call;
    const { decidedAs, requestId, decisionId } = decision;
    return this.audit.record(tx, {
      action: decidedAs === null ? 'tool_call.asked' : 'tool_call.decided',
      actor: actorOf(principal),
      level: decision.level,
      subject: { type: 'tool_call', id },
      within: sessionId === null ? (call.within ?? []) : [{ type: 'session', id: sessionId }],
      ...(decisionId === null ? {} : { decisionId }),
      payload: {
        tool: call.tool,
        tool_version: call.toolVersion,
        environment: call.environment,
        asked_by: askedBy(principal, call.submitter),
        outcome: decision.outcome,
        ...(decidedAs === null ? {} : { decided_as: decidedAs }),
        reasons: [...decision.reasons],
        ...(requestId === null ? {} : { request_id: requestId }),
        ...(decision.trustId == null ? {} : { trust_id: decision.trustId }),
        ...(decision.prompt == null ? {} : { prompt: { ...decision.prompt } }),
        ...(argumentsDigest === null ? {} : { arguments: call.arguments, arguments_digest: argumentsDigest }),
        ...(shell === null ? {} : { shell: { tier: shell.tier, class: shell.class } }),
        ...(shell?.tree == null ? {} : { tree: shell.tree }),
        ...(paths === null ? {} : { paths: { tier: paths.tier, class: paths.class } }),
        ...(clientCallId === null ? {} : { client_call_id: clientCallId }),
        ...(turnId === null ? {} : { turn_id: turnId }),
        ...(reason === null ? {} : { reason }),
        errors: (decision.errors ?? []).map(({ pointer, code }) => ({ pointer, code })),
      },
    });
  }
}

/** The submitter, and in its own entry the accountable person of an agent. Outside production that person may answer (T03). */
const askedBy = (principal: Principal, { kind, id }: Submitter): JsonObject => ({
  ...{ kind, id },
  ...(principal.kind === 'agent' && principal.agentId === id ? { owner_id: principal.ownerId } : {}),
});

/** A kept call as an entry tells it. */
export const journaled = (call: ToolCall): JournaledCall => ({
  ...call,
  tool: call.tool.name,
  toolVersion: call.tool.version,
  environment: call.environment.name,
});
