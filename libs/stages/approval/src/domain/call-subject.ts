import type { JsonObject } from '#lib/canonical';
import type { ExpandedInvocation, ToolLevel } from '#lib/formats';
import type { PolicyInput } from '#lib/policy-inputs';
import type { Digest, PersonId, SessionId, ToolCallId } from '#lib/kernel';
import type { EnvironmentRecord, Submitter } from '#lib/task';
import type { SubjectAutonomy, SubjectRegistry } from './subject-records.js';

/** A single call as it was asked for. None of it changes. */
export interface SubjectCall {
  readonly id: ToolCallId;
  /** The session that it is a call of; null for a call by itself. */
  readonly sessionId: SessionId | null;
  /** Of everything below that decides, kind `tool-call`. */
  readonly digest: Digest;
  readonly tool: ExpandedInvocation['tool'];
  /** Null if the agent makes the call itself. */
  readonly executor: ExpandedInvocation['executor'] | null;
  /** Of the environment as it was then. */
  readonly environmentDigest: string;
  readonly arguments: JsonObject;
  readonly argumentsDigest: string;
  readonly targets: readonly string[];
  /** The kind of work, such as `workspace-write`. */
  readonly category: string;
  readonly level: ToolLevel;
  /** The effect of the call in one line, from the call alone. */
  readonly impact: string;
  /** The submitter's own words for it; they decide nothing. Null for none. */
  readonly reason: string | null;
  readonly submitter: Submitter;
}

/** The whole subject that is a single call, at one moment. */
export interface CallSubject {
  readonly type: 'tool_call';
  readonly call: SubjectCall;
  /** The shape of its arguments, which an "always" covers; null if it has none, or is outside a session. */
  readonly shape: JsonObject | null;
  readonly environment: EnvironmentRecord;
  /** The tool and the executor of the call, as the registry has them now. */
  readonly registry: SubjectRegistry;
  readonly autonomy: SubjectAutonomy;
  /** The accountable person of the submitting agent; null if a person submitted it. */
  readonly ownerId: PersonId | null;
  /** The people behind the submitting agent: its accountable people, and the minters of its tokens. */
  readonly answerable: readonly PersonId[];
  /** The question to policy about this call, by the records of this moment. Its halts are those that apply. */
  readonly question: PolicyInput<'tool_call'>;
}
