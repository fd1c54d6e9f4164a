import type { ToolCallDecision, ToolCallState } from '#lib/formats';
import type { Decision } from '#lib/policy-inputs';
import type { DecisionId, Digest, FieldError, ToolCallId, Tx } from '#lib/kernel';
import type { DecisionLog } from '#lib/policy';
import type { ShellVerdict } from '#lib/shell-safety';
import type { ToolCall } from '../domain/tool-call.js';

/** The answer to a call. */
export interface ToolCallAnswer {
  readonly id: ToolCallId;
  readonly state: ToolCallState;
  readonly decidedAs: ToolCallDecision;
  readonly decision: Decision;
  /** Null if there were no facts to put to the policies: then nothing but the audit entry records the deny. */
  readonly decisionId: DecisionId | null;
  readonly bundleRevision: string;
  readonly toolVersion: number | null;
  readonly argumentsDigest: Digest | null;
  /** The verdict on its command line; null for a tool that takes none, or without arguments that fit. */
  readonly shell: ShellVerdict | null;
  /** The errors of the arguments; pointers are relative to the arguments. */
  readonly errors: readonly FieldError[];
  /** Epoch milliseconds. */
  readonly decidedAt: number;
  /** Until when an allowed call may be taken up, epoch milliseconds; null for a denied one. */
  readonly allowedUntil: number | null;
}

/** A kept call as it was answered. */
export async function keptAnswer(tx: Tx, decisions: DecisionLog, call: ToolCall): Promise<ToolCallAnswer> {
  const { id, state, decidedAs, decisionId, argumentsDigest, shell, decidedAt, allowedUntil } = call;
  const logged = await decisions.find(tx, decisionId);
  if (logged === null) throw new Error(`the decision of the tool call ${id} is not there`);
  const { decision, bundleRevision } = logged;
  const kept = { id, state, decidedAs, decision, decisionId, bundleRevision, argumentsDigest, shell };
  return { ...kept, toolVersion: call.tool.version, errors: [], decidedAt, allowedUntil };
}
