import { newId, type AgentPrincipal, type PersonId, type Principal } from '#lib/kernel';
import { sampleAgent, samplePerson, sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleSession } from '../application/fake-session.js';
import { mayRead, takesPart } from './session-access.js';

const home = sampleTenant();
const { tenantId, owner, admin, agent } = home;
const stranger = samplePerson(tenantId, ['SRELead']);
const another = sampleAgent(stranger);
const forOwner: AgentPrincipal = { ...agent, onBehalfOf: owner.personId };
const system: Principal = { kind: 'system', tenantId, name: 'session-rest' };

const byAgent = sampleSession(home);
const byDelegation = sampleSession(home, { by: { ...agent, onBehalfOf: stranger.personId } });
const byOwner = sampleSession(home, { by: owner });

it.each<[string, Principal, boolean]>([
  ['an agent of it', agent, true],
  ['another agent', another, false],
  ['a person of the tenant', stranger, true],
  ['the system', system, true],
])('%s may read it: %s', (_who, principal, allowed) => {
  const answer = mayRead(principal, byAgent);
  if (allowed) expect(answer.ok).toBe(true);
  else expect(answer).toMatchObject({ error: { kind: 'not_found', code: 'resource.not_found' } });
});

it.each<[string, Principal, typeof byAgent, string | null]>([
  ['an agent of it', agent, byAgent, null],
  ['another agent', another, byAgent, 'resource.not_found'],
  ['its agent for somebody, in its own session', forOwner, byAgent, 'session.not_yours'],
  ['its agent for somebody, in a session for another', forOwner, byDelegation, 'session.not_yours'],
  ['its agent for the person who opened it', forOwner, byOwner, null],
  ['its agent by itself, in a session for somebody', agent, byDelegation, null],
  ['the accountable owner', owner, byAgent, null],
  ['the person for whom an agent opened it', stranger, byDelegation, null],
  ['the person who opened it', owner, byOwner, null],
  ['an admin', admin, byAgent, null],
  ['a person with another role', stranger, byAgent, 'session.not_yours'],
  ['the system', system, byAgent, 'session.not_yours'],
])('%s takes part: %s', (_who, principal, session, refused) => {
  const answer = takesPart(principal, session, [owner.personId]);
  if (refused === null) expect(answer.ok).toBe(true);
  else expect(answer).toMatchObject({ ok: false, error: { code: refused } });
});

it('a former owner takes no part', () => {
  expect(takesPart(owner, byAgent, [newId<PersonId>()])).toMatchObject({ error: { code: 'session.not_yours' } });
});
