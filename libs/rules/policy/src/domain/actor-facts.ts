import { actsInPerson, type Principal } from '#lib/kernel';
import type { ActorFacts, CallerFacts } from '#lib/policy-inputs';

/** The principal, as policies are given it. */
export function actorFacts(principal: Principal): ActorFacts {
  switch (principal.kind) {
    case 'person':
      return { kind: 'person', id: principal.personId, scopes: [...principal.scopes] };
    case 'agent':
      return { kind: 'agent', id: principal.agentId, scopes: [...principal.scopes] };
    case 'system':
      return { kind: 'system', id: principal.name, scopes: [] };
  }
}

/** The same of somebody who calls, with the way in which they do. */
export const callerFacts = (principal: Principal): CallerFacts => ({
  ...actorFacts(principal),
  via: viaOf(principal),
});

/** How the actor acts: in a browser session, in Slack, or by a token. An agent on the same machine may have the token. */
function viaOf(principal: Principal): 'browser' | 'slack' | 'token' {
  if (!actsInPerson(principal)) return 'token';
  return principal.credentialKind === 'browser_session' ? 'browser' : 'slack';
}
