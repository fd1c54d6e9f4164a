import type { Json, JsonObject } from '#lib/canonical';
import type { ToolCallDecision } from '#lib/formats';
import type { ApprovalRequestId, DecisionId, Digest, EnvironmentId, Failure, SessionId, ToolCallId } from '#lib/kernel';
import type { PathVerdict } from '#lib/shell-safety';
import type { Submitter } from '#lib/task';
import type { CallLine } from './call-line.js';

/** How long an allowed call may be taken up, in milliseconds: the facts that it was decided on grow old. */
export const ALLOWED_FOR_MS = 60_000;

/** The decision words of an allowed call, and those of a denied one. */
export type AllowedAs = Extract<ToolCallDecision, 'auto_approved' | 'approved' | 'trusted'>;
/** The words for a call that policies denied by themselves. */
export type DeniedByPolicyAs = Extract<ToolCallDecision, 'denied' | 'rejected'>;
/** The words for a call that policies did not deny by themselves. */
export type UnansweredAs = Extract<ToolCallDecision, 'rejected' | 'timeout' | 'cancelled'>;

/** The reason why a call is denied or did not succeed. It holds no secrets. */
export interface CallFault {
  readonly code: string;
  readonly message: string;
}

/** An allowed call is never made once its agent or person is disabled. */
export const SUBMITTER_DISABLED: CallFault = {
  code: 'tool_call.submitter_disabled',
  message: 'The agent or the person behind the call was disabled before the call left.',
};

/** The version of an executor's record that a call was decided on. */
export interface CallExecutor {
  readonly name: string;
  readonly version: number;
  readonly digest: Digest;
  /** `agent`: the agent that asked makes the call under a grant, and reports. */
  readonly answeredBy: 'executor' | 'agent';
}

/** The members of a call that never change. Times are epoch milliseconds. */
export interface ToolCallFacts {
  readonly id: ToolCallId;
  /** Null for a call outside a session. */
  readonly sessionId: SessionId | null;
  readonly submitter: Submitter;
  /**
   * The caller's own name of the call, unique among those of {@link namesOf} in its session or outside one. The same
   * name is answered alike.
   */
  readonly clientCallId: string | null;
  /** The turn of the agent that the call belongs to, in the agent's own words. */
  readonly turnId: string | null;
  /** The agent's reason for the call, in its own words, masked. They decide nothing. */
  readonly reason: string | null;
  readonly tool: { readonly name: string; readonly version: number };
  /** Of the tool in the environment then; null if it had none there, and Countersign hands out no grant. */
  readonly executor: CallExecutor | null;
  /** With its digest then. */
  readonly environment: { readonly id: EnvironmentId; readonly name: string; readonly digest: string };
  /** As validated; secrets are references. */
  readonly arguments: JsonObject;
  readonly argumentsDigest: Digest;
  readonly targets: readonly string[];
  /** Its command line as it was judged; null for a tool that takes none. */
  readonly shell: CallLine | null;
  /** The verdict on the paths that it names; null for a tool that names none. */
  readonly paths: PathVerdict | null;
  readonly askedAt: number;
  /** The policy decision about the question. */
  readonly decisionId: DecisionId;
}

/** It waits for people. */
export interface Pending {
  readonly state: 'pending';
  readonly requestId: ApprovalRequestId;
}

/** It was allowed: by policies, or by people if there is a request. */
export interface Allowed {
  readonly requestId: ApprovalRequestId | null;
  readonly decidedAs: AllowedAs;
  readonly decidedAt: number;
  /** Until when it may be taken up. */
  readonly allowedUntil: number;
}

/** It is not made. */
export type Denied = {
  readonly state: 'denied';
  readonly requestId: ApprovalRequestId | null;
  readonly decidedAt: number;
} & ({ readonly decidedAs: DeniedByPolicyAs } | { readonly decidedAs: UnansweredAs; readonly denial: CallFault });

/** It left at least once, to an executor or with the agent. */
export interface Dispatched extends Allowed {
  /** Counts its dispatches, from 1. */
  readonly attempt: number;
  /** The time of the latest. */
  readonly dispatchedAt: number;
}

/** Its answer is awaited until `leaseUntil`. */
export type Executing = Dispatched & { readonly state: 'executing'; readonly leaseUntil: number };

/** Its outcome is known, or lost. `result` is masked. */
export type Finished = Dispatched & { readonly finishedAt: number } & (
    | { readonly state: 'succeeded'; readonly result: Json }
    | { readonly state: 'failed'; readonly result: Json; readonly error: CallFault }
    | { readonly state: 'unknown'; readonly error: CallFault }
  );

/** The members of a call that change with its state. */
export type ToolCallProgress =
  | Pending
  | Denied
  | (Allowed & { readonly state: 'allowed' })
  | (Allowed & { readonly state: 'expired'; readonly finishedAt: number })
  | Executing
  | Finished;

/** A call: exactly these arguments, of this version of the tool, in this environment. */
export type ToolCall = ToolCallFacts & ToolCallProgress;

/** Policies deny a command with other rights without asking anybody; the audit log says `rejected` of it. */
export const deniedByPolicyAs = (shell: CallLine | null): DeniedByPolicyAs =>
  shell?.class === 'ESCALATION' ? 'rejected' : 'denied';

/** Whether Countersign has to send it. */
export const isToSend = ({ state, executor }: Pick<ToolCall, 'state' | 'executor'>): boolean =>
  state === 'allowed' && executor?.answeredBy === 'executor';

/** The reason to hand out no grant for a call, and to take no report of it. */
export const noExecutor = ({ tool, environment }: Pick<ToolCallFacts, 'tool' | 'environment'>): Failure => ({
  kind: 'conflict',
  code: 'tool_call.no_executor',
  message: `${tool.name} has no executor in ${environment.name}. So the answer to this call is advice: no grant and no report follow it.`,
  action: 'Have an admin put an executor there. Its kind is agent if you make the call yourself.',
});

/**
 * The giver of names of calls: an agent, with any credential of its own. Outside sessions a person's names are those of
 * one credential (T55). Others may have a token of theirs, and a browser's calls are no answer to it.
 */
export const namesOf = (
  { kind, id, credentialId }: Pick<Submitter, 'kind' | 'id' | 'credentialId'>,
  sessionId: SessionId | null,
): Submitter['id'] | Submitter['credentialId'] => (kind === 'person' && sessionId === null ? credentialId : id);

/** Whether two questions are about the same call. */
export const isSameCall = (
  kept: {
    readonly tool: Pick<ToolCallFacts['tool'], 'name'>;
    readonly environment: Pick<ToolCallFacts['environment'], 'name'>;
    readonly argumentsDigest: Digest;
  },
  asked: { readonly tool: string; readonly environment: string; readonly argumentsDigest: Digest },
): boolean =>
  kept.tool.name === asked.tool &&
  kept.environment.name === asked.environment &&
  kept.argumentsDigest === asked.argumentsDigest;

/** Whether two calls ask people the same question: of one submitter, exactly these arguments, in any session. */
export const isTwin = (one: ToolCallFacts, other: ToolCallFacts): boolean =>
  one.submitter.id === other.submitter.id &&
  one.tool.name === other.tool.name &&
  one.tool.version === other.tool.version &&
  one.environment.id === other.environment.id &&
  one.argumentsDigest === other.argumentsDigest;

/** The question of a call, without its state. */
export function factsOf(call: ToolCall): ToolCallFacts {
  const { id, sessionId, submitter, clientCallId, turnId, reason, tool, executor, environment } = call;
  const { arguments: args, argumentsDigest, targets, shell, paths, askedAt, decisionId } = call;
  return {
    ...{ id, sessionId, submitter, clientCallId, turnId, reason, tool, executor, environment },
    ...{ arguments: args, argumentsDigest, targets, shell, paths, askedAt, decisionId },
  };
}
