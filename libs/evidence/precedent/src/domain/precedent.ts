import type { AgentId, ApprovalRequestId, EnvironmentId, IncidentId, PersonId, RunId, TaskId } from '#lib/kernel';

/** The structure of a request, a plan or a call: everything but words. */
export interface Structure {
  readonly tools: readonly string[];
  /** The name; null if a question names none. */
  readonly environment: string | null;
  readonly argumentKeys: readonly string[];
  readonly targets: readonly string[];
}

/** A request or a run of the past, and its end. */
export interface Precedent extends Structure {
  readonly id: string;
  readonly requestId: ApprovalRequestId | null;
  readonly runId: RunId | null;
  readonly incidentId: IncidentId | null;
  readonly subject: { readonly type: 'plan' | 'tool_call'; readonly id: string };
  readonly taskId: TaskId | null;
  readonly environmentId: EnvironmentId;
  readonly environment: string;
  readonly agentId: AgentId | null;
  readonly personId: PersonId | null;
  readonly submittedBy: string | null;
  /** The people who approved it, by the names that they have now. */
  readonly approvedBy: readonly { readonly id: PersonId; readonly name: string }[];
  readonly endedAs: string;
  readonly unknownEffects: number;
  /** Calls that changed something before the run was cancelled; 0 for every other end. */
  readonly effects: number;
  /** The reason for that end; null if there is none, or it was erased. */
  readonly because: string | null;
  readonly targetCount: number;
  readonly phases: 'all' | 'canary' | 'promotion' | null;
  readonly headline: string | null;
  /** Null after it was erased. */
  readonly goal: string | null;
  /** Whether the submitter wrote the goal. */
  readonly goalIsOwn: boolean;
  readonly openedAt: number;
  readonly endedAt: number;
  /** Whether the retention rule erased its words. */
  readonly erased: boolean;
}

/** A precedent as its reader sees it: an agent sees no id of the work of others. */
export interface SeenPrecedent extends Omit<Precedent, 'id' | 'subject'> {
  readonly id: string | null;
  readonly subject: { readonly type: 'plan' | 'tool_call'; readonly id: string | null };
}

/**
 * An agent reads structure and outcomes, and words of its own. Of others it reads no words, and no names of people,
 * hosts or tickets. It also reads no id that leads to more.
 *
 * @param named the targets that the agent named itself. A target of others is shown only if it equals one of them.
 */
export function asAgentSees(precedent: Precedent, agentId: AgentId, named: readonly string[]): SeenPrecedent {
  const seen = { ...precedent, because: null, approvedBy: [], personId: null };
  if (precedent.agentId === agentId) return { ...seen, goal: precedent.goalIsOwn ? precedent.goal : null };
  return {
    ...seen,
    ...{ id: null, requestId: null, runId: null, incidentId: null, taskId: null, agentId: null, submittedBy: null },
    subject: { type: precedent.subject.type, id: null },
    // Headlines tell values of arguments.
    ...{ headline: null, goal: null, targets: named },
  };
}
