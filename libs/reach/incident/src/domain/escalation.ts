import { isOverdue, type Incident } from './incident.js';

/** The time between two escalations, in milliseconds: a day. */
export const ESCALATE_EVERY_MS = 86_400_000;

/** The incident after its overdue review was escalated once more, or null if there is nothing to escalate now. */
export function escalate<I extends Incident>(incident: I, now: number): I | null {
  if (!isOverdue(incident, now) || incident.escalateAt > now) return null;
  return {
    ...incident,
    escalatedAt: incident.escalatedAt ?? now,
    escalations: incident.escalations + 1,
    escalateAt: now + ESCALATE_EVERY_MS,
  };
}

/**
 * The incident after a person acted on it: an overdue review is not escalated for a day. The invoker, and a person who shares
 * their vote, put off nothing.
 */
export const postponeEscalation = <I extends Incident>(incident: I, sharesInvokersVote: boolean, now: number): I =>
  isOverdue(incident, now) && !sharesInvokersVote
    ? { ...incident, escalateAt: Math.max(incident.escalateAt, now + ESCALATE_EVERY_MS) }
    : incident;

/**
 * The destinations that hear of an incident. Its autonomy document named them. Each escalation from the second on adds
 * one more of the tenant's, by name.
 */
export function destinationsOf(
  incident: Pick<Incident, 'notifies' | 'escalations'>,
  destinations: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const others = Object.keys(destinations)
    .filter((name) => !incident.notifies.includes(name))
    .sort();
  return [...incident.notifies, ...others.slice(0, Math.max(0, incident.escalations - 1))];
}
