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
  /** In the words of the submitter; null after it was erased. */
  readonly goal: string | null;
  readonly openedAt: number;
  readonly endedAt: number;
  /** Whether the retention rule erased its words. */
  readonly erased: boolean;
}

/** An agent reads structure and outcomes, and words of its own; never the words or names of others, or their tasks. */
export function asAgentSees(precedent: Precedent, agentId: AgentId): Precedent {
  const own = precedent.agentId === agentId;
  return {
    ...precedent,
    goal: own ? precedent.goal : null,
    taskId: own ? precedent.taskId : null,
    because: null,
    approvedBy: [],
    submittedBy: own ? precedent.submittedBy : null,
    personId: null,
    agentId: own ? precedent.agentId : null,
  };
}
