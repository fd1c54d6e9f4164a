import { newId, type AgentId, type CredentialId, type PersonId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeAgentPeople } from './agent-people.contract.js';
import { FakeAgentPeople } from './fake-agent-people.js';

describeAgentPeople('FakeAgentPeople', () => {
  const world = fakeWorld();
  const { uow, home } = world;
  const people = new FakeAgentPeople(uow);
  return Promise.resolve({
    world,
    people,
    person: () => Promise.resolve(newId<PersonId>()),
    agent: (ownerId) => {
      const agentId = newId<AgentId>();
      people.own(home, agentId, ownerId);
      return Promise.resolve(agentId);
    },
    own: (agentId, ownerId) => {
      people.own(home, agentId, ownerId);
      return Promise.resolve();
    },
    token: (agentId, madeBy, usedAt) => {
      const credentialId = newId<CredentialId>();
      people.add(home, agentId, { credentialId, madeBy, madeAt: uow.now, usedAt });
      return Promise.resolve(credentialId);
    },
    later: () => Promise.resolve(void (uow.now += 1)),
  });
});
