import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeHookExecutions } from './fake-hook-executions.js';
import { describeHookExecutions } from './hook-executions.contract.js';

describeHookExecutions('FakeHookExecutions', () => {
  const world = fakeWorld();
  return Promise.resolve({ world, executions: new FakeHookExecutions(world.uow) });
});
