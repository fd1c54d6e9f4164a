import type { JsonObject } from '#lib/canonical';
import type { IncidentEventKind, IncidentState } from '#lib/contracts';
import type {
  Actor,
  CredentialId,
  DecisionId,
  Digest,
  EnvironmentId,
  IncidentId,
  MfaProof,
  PersonId,
  PlanId,
  TaskId,
} from '#lib/kernel';

/** What somebody did to an incident, and when (epoch milliseconds). */
export interface Done {
  readonly at: number;
  readonly by: PersonId;
}

/** A use of break-glass that people look into. Times are epoch milliseconds. */
export interface Incident {
  readonly id: IncidentId;
  readonly state: IncidentState;
  readonly taskId: TaskId;
  readonly planId: PlanId;
  readonly planDigest: Digest;
  readonly environmentId: EnvironmentId;
  /** The policy decision that allowed it. */
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
  readonly acknowledged: Done | null;
  readonly resolved: (Done & { readonly postMortem: string }) | null;
  readonly reviewed: (Done & { readonly comment: string }) | null;
  /** When the overdue review was first escalated; null for never. */
  readonly escalatedAt: number | null;
  /** How many times it was. */
  readonly escalations: number;
  /** When it is escalated next, unless somebody acts before. */
  readonly escalateAt: number;
}

/** One entry of an incident's timeline. */
export interface IncidentEvent {
  readonly seq: number;
  readonly kind: IncidentEventKind;
  readonly actor: Actor;
  readonly text: string;
  readonly data: JsonObject;
  readonly at: number;
}

/** Whether the review is due and was not given. */
export const isOverdue = ({ state, reviewDueAt }: Pick<Incident, 'state' | 'reviewDueAt'>, now: number): boolean =>
  state !== 'reviewed' && reviewDueAt <= now;

/** A timeline that holds more is no account of what happened. */
export const MOST_EVENTS = 2_000;
