import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeEnvironmentRepository } from '../../../../registry/tenancy/src/application/fake-environment.repository.js';
import { FakeExecutorRepository } from '../../../../registry/tool/src/application/fake-executor.repository.js';
import { FakeToolRepository } from '../../../../registry/tool/src/application/fake-tool.repository.js';
import { FakeAutonomyRepository } from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { FakeHaltRepository } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import { describeCallFacts } from './call-facts.contract.js';
import { FakeCallFacts } from './fake-call-facts.js';

describeCallFacts('FakeCallFacts', () => {
  const world = fakeWorld();
  const stores = {
    tools: new FakeToolRepository(world.uow),
    executors: new FakeExecutorRepository(world.uow),
    environments: new FakeEnvironmentRepository(world.uow, [world.home, world.other]),
    revisions: new FakeAutonomyRepository(world.uow),
    halts: new FakeHaltRepository(world.uow),
  };
  const facts = new FakeCallFacts(stores);
  return Promise.resolve({ world, ...stores, facts, forge: facts.forge });
});
