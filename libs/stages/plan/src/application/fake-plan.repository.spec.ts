import { type DecisionId, newId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakePlanRepository } from './fake-plan.repository.js';
import { describePlanRepository } from './plan.repository.contract.js';

describePlanRepository('FakePlanRepository', () => {
  const world = fakeWorld();
  return Promise.resolve({
    world,
    plans: new FakePlanRepository(world.uow),
    keepTask: () => Promise.resolve(),
    keepTool: () => Promise.resolve(),
    newDecision: () => Promise.resolve(newId<DecisionId>()),
  });
});
