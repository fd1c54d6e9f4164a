import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSubmitterStanding } from './fake-submitter-standing.js';
import { describeSubmitterStanding } from './submitter-standing.contract.js';

describeSubmitterStanding('FakeSubmitterStanding', () => {
  const world = fakeWorld();
  const { home } = world;
  const standing = new FakeSubmitterStanding(world.uow);
  standing.own(home, home.agent.agentId, home.owner.personId);
  return Promise.resolve({
    world,
    standing,
    disable: (id, disabled) => {
      standing.disable(home, id, disabled);
      return Promise.resolve();
    },
  });
});
