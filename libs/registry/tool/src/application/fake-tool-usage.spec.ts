import { newId, type PlanId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeToolUsage } from './fake-tool-usage.js';
import { describeToolUsage } from './tool-usage.contract.js';

describeToolUsage('FakeToolUsage', () => {
  const world = fakeWorld();
  const usage = new FakeToolUsage(world.uow);
  return Promise.resolve({
    world,
    usage,
    keepPlan: (tools) => {
      const id = newId<PlanId>();
      usage.hold(world.home, id, tools);
      return Promise.resolve(id);
    },
    endPlan: (id) => {
      usage.release(world.home, id);
      return Promise.resolve();
    },
  });
});
