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
  /** Null while it is pending. */
  readonly decidedAs: ToolCallDecision | null;
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
  /** Epoch milliseconds; null while it is pending. */
  readonly decidedAt: number | null;
  /** Until when an allowed call may be taken up, epoch milliseconds; null for one that is pending or denied. */
  readonly allowedUntil: number | null;
}

/** A kept call as it was answered. */
export async function keptAnswer(tx: Tx, decisions: DecisionLog, call: ToolCall): Promise<ToolCallAnswer> {
  const { id, decisionId, argumentsDigest, shell } = call;
  const logged = await decisions.find(tx, decisionId);
  if (logged === null) throw new Error(`the decision of the tool call ${id} is not there`);
  const { decision, bundleRevision } = logged;
  const kept = { id, decision, decisionId, bundleRevision, argumentsDigest, shell, errors: [] };
  return { ...kept, ...outcomeOf(call), toolVersion: call.tool.version };
}

const outcomeOf = (call: ToolCall): Pick<ToolCallAnswer, 'state' | 'decidedAs' | 'decidedAt' | 'allowedUntil'> => ({
  state: call.state,
  decidedAs: call.state === 'pending' ? null : call.decidedAs,
  decidedAt: call.state === 'pending' ? null : call.decidedAt,
  allowedUntil: 'allowedUntil' in call ? call.allowedUntil : null,
});
