import type { JsonObject } from '#lib/canonical';
import type { IncidentEventKind } from '#lib/formats';
import type { MfaProof } from '#lib/identity';
import type {
  Actor,
  CredentialId,
  DecisionId,
  Digest,
  EnvironmentId,
  IncidentId,
  PersonId,
  PlanId,
  TaskId,
} from '#lib/kernel';

/** The person who took a step, and when (epoch milliseconds). */
export interface Done {
  readonly at: number;
  readonly by: PersonId;
}

/** The facts of an incident in every state. Times are epoch milliseconds. */
export interface IncidentFacts {
  readonly id: IncidentId;
  readonly taskId: TaskId;
  readonly planId: PlanId;
  readonly planDigest: Digest;
  readonly environmentId: EnvironmentId;
  /** The policy decision that allowed break-glass. */
  readonly decisionId: DecisionId;
  readonly invokedBy: PersonId;
  readonly credentialId: CredentialId;
  /** In the invoker's own words, secrets masked. */
  readonly justification: string;
  readonly mfa: MfaProof;
  /** The destinations that the autonomy document named. */
  readonly notifies: readonly string[];
  readonly eventCount: number;
  readonly openedAt: number;
  readonly reviewDueAt: number;
  /** When the overdue review was first escalated; null for never. */
  readonly escalatedAt: number | null;
  /** How many times the review was escalated. */
  readonly escalations: number;
  /** When the review is escalated next, unless somebody acts before. */
  readonly escalateAt: number;
}

export interface OpenIncident extends IncidentFacts {
  readonly state: 'open';
}

export interface AcknowledgedIncident extends IncidentFacts {
  readonly state: 'acknowledged';
  readonly acknowledged: Done;
}

export interface ResolvedIncident extends IncidentFacts {
  readonly state: 'resolved';
  readonly acknowledged: Done;
  readonly resolved: Done & { readonly postMortem: string };
}

export interface ReviewedIncident extends IncidentFacts {
  readonly state: 'reviewed';
  readonly acknowledged: Done;
  readonly resolved: Done & { readonly postMortem: string };
  readonly reviewed: Done & { readonly comment: string };
}

/** A use of break-glass that people examine afterwards. */
export type Incident = OpenIncident | AcknowledgedIncident | ResolvedIncident | ReviewedIncident;

/** The steps that people have taken, for answers and rows that name all of them. Null for a step to come. */
export const stepsOf = (incident: Incident) => ({
  acknowledged: incident.state === 'open' ? null : incident.acknowledged,
  resolved: 'resolved' in incident ? incident.resolved : null,
  reviewed: incident.state === 'reviewed' ? incident.reviewed : null,
});

/** One entry of an incident's timeline. */
export interface IncidentEvent {
  readonly seq: number;
  readonly kind: IncidentEventKind;
  readonly actor: Actor;
  readonly text: string;
  readonly data: JsonObject;
  readonly at: number;
}

/** True if the review is due and was not given. */
export const isOverdue = ({ state, reviewDueAt }: Incident, now: number): boolean =>
  state !== 'reviewed' && reviewDueAt <= now;

/** The most entries that a timeline holds: a person cannot read more. */
export const MAX_EVENTS = 2_000;
