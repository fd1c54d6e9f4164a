import { newId, type AgentId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSessionRepository } from './fake-session-repository.js';
import { describeSessionRepository } from './session-repository.contract.js';

describeSessionRepository('FakeSessionRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    sessions: new FakeSessionRepository(world.uow),
    agents: [newId<AgentId>(), newId<AgentId>()],
  });
});
