import { INCIDENT_ROLES, type IncidentDuty } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import type { Incident } from './incident.js';

/**
 * The duty that an incident has for this reader now; null for none. The person who acknowledged it and the invoker owe the
 * post-mortem. Holders of {@link INCIDENT_ROLES} owe everything else, but a person never reviews with the invoker's vote.
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
