import { INCIDENT_ROLES, type IncidentDuty } from '#lib/contracts';
import type { PersonPrincipal } from '#lib/kernel';
import type { Incident } from './incident.js';

/**
 * What an incident waits for from this reader now; null for nothing. Its post-mortem is due from those who took it on or
 * invoked it, everything else from those who are told of every incident; nobody reviews what they share a vote in.
 */
export function dutyOf(
  incident: Incident,
  reader: Pick<PersonPrincipal, 'personId' | 'roles' | 'scopes'>,
  facts: { readonly runEnded: boolean; readonly sharesInvokersVote: boolean },
): IncidentDuty | null {
  if (!reader.scopes.includes('review')) return null;
  const answers = INCIDENT_ROLES.some((answering) => reader.roles.some(({ role }) => role === answering));
  const own = reader.personId === incident.invokedBy;
  switch (incident.state) {
    case 'open':
      return answers ? 'acknowledge' : null;
    case 'acknowledged':
      return facts.runEnded && (own || reader.personId === incident.acknowledged.by) ? 'resolve' : null;
    case 'resolved':
      return answers && !own && !facts.sharesInvokersVote ? 'review' : null;
    case 'reviewed':
      return null;
  }
}
