import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeRunnerMcpServers } from '../application/runner-mcp-servers.contract.js';
import { TypeormRunnerMcpServers } from './typeorm-runner-mcp-servers.js';
import { TypeormRunnerRepository } from './typeorm-runner.repository.js';

describeRunnerMcpServers('TypeormRunnerMcpServers', async () => {
  const world = await postgresWorld();
  const runners = new TypeormRunnerRepository(world.db.systemQuery, testSeals());
  return { world, runners, servers: new TypeormRunnerMcpServers() };
});
