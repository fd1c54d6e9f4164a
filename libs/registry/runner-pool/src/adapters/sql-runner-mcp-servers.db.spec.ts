import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeRunnerMcpServers } from '../application/runner-mcp-servers.contract.js';
import { SqlRunnerMcpServers } from './sql-runner-mcp-servers.js';
import { SqlRunnerRepository } from './sql-runner.repository.js';

describeRunnerMcpServers('SqlRunnerMcpServers', async () => {
  const world = await postgresWorld();
  const runners = new SqlRunnerRepository(world.db.systemQuery, testSeals());
  return { world, runners, servers: new SqlRunnerMcpServers() };
});
