import { newId, type PersonPrincipal, type TenantId } from '#lib/kernel';
import { sampleAgent, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { actorFacts, callerFacts } from './actor-facts.js';

const person = samplePerson(newId<TenantId>());
const agent = sampleAgent(person);

describe('the facts of a principal', () => {
  it('name a person or an agent with their scopes, and the system without any', () => {
    expect(actorFacts(person)).toEqual({ kind: 'person', id: person.personId, scopes: ['read', 'submit'] });
    expect(actorFacts(agent)).toEqual({ kind: 'agent', id: agent.agentId, scopes: ['read', 'submit'] });
    expect(actorFacts({ kind: 'system', tenantId: person.tenantId, name: 'worker' })).toEqual({
      kind: 'system',
      id: 'worker',
      scopes: [],
    });
  });

  it.each<[PersonPrincipal['credentialKind'], string]>([
    ['browser_session', 'browser'],
    ['slack_link', 'slack'],
    ['person_token', 'token'],
    ['issuer_token', 'token'],
  ])('T55: say of a person with a %s that they act by %s', (credentialKind, via) => {
    const caller = { ...person, credentialKind };
    expect(callerFacts(caller)).toEqual({ ...actorFacts(person), via });
  });

  it('T55: say of an agent that it acts by a token', () => {
    expect(callerFacts(agent)).toEqual({ ...actorFacts(agent), via: 'token' });
  });
});
