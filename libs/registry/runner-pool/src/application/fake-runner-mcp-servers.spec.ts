import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeRunnerMcpServers } from './fake-runner-mcp-servers.js';
import { FakeRunnerRepository } from './fake-runner.repository.js';
import { describeRunnerMcpServers } from './runner-mcp-servers.contract.js';

describeRunnerMcpServers('FakeRunnerMcpServers', () => {
  const world = fakeWorld();
  const runners = new FakeRunnerRepository(world.uow);
  return Promise.resolve({ world, runners, servers: new FakeRunnerMcpServers(world.uow, runners) });
});
