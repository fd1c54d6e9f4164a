import type { JsonObject } from '#lib/canonical';
import type { ToolCallDecision, ToolCallState } from '#lib/formats';
import type { DecisionId, Digest, EnvironmentId, SessionId, ToolCallId } from '#lib/kernel';
import type { ShellVerdict } from '#lib/shell-safety';
import type { Submitter } from '#lib/task';

/** How long an allowed call may be taken up, in milliseconds: the facts that it was decided on grow old. */
export const ALLOWED_FOR_MS = 60_000;

/** A call that was decided: exactly these arguments, of this version of the tool, in this environment. */
export interface ToolCall {
  readonly id: ToolCallId;
  /** Null for a call outside a session. */
  readonly sessionId: SessionId | null;
  readonly submitter: Submitter;
  /** The caller's own name of the call, unique in its session, or else for its credential: the same one is answered alike. */
  readonly clientCallId: string | null;
  /** The turn of the agent that the call belongs to, in the agent's own words. */
  readonly turnId: string | null;
  /** Why the agent makes the call, in its own words, masked. They decide nothing. */
  readonly reason: string | null;
  readonly tool: { readonly name: string; readonly version: number };
  readonly environment: { readonly id: EnvironmentId; readonly name: string };
  /** As validated; secrets are references. */
  readonly arguments: JsonObject;
  readonly argumentsDigest: Digest;
  /** The verdict on its command line; null for a tool that takes none. */
  readonly shell: ShellVerdict | null;
  readonly state: ToolCallState;
  readonly decidedAs: ToolCallDecision;
  readonly decisionId: DecisionId;
  /** Epoch milliseconds. */
  readonly decidedAt: number;
  /** Until when an allowed call may be taken up, epoch milliseconds; null for any other. */
  readonly allowedUntil: number | null;
}

/** Whether two questions are about the same call. */
export const isSameCall = (
  kept: Pick<ToolCall, 'tool' | 'environment' | 'argumentsDigest'>,
  asked: { readonly tool: string; readonly environment: string; readonly argumentsDigest: Digest },
): boolean =>
  kept.tool.name === asked.tool &&
  kept.environment.name === asked.environment &&
  kept.argumentsDigest === asked.argumentsDigest;
