import { createToolStore } from '#lib/tool';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { sampleExecutor } from '../../../tool/src/application/fake-tool.js';
import { describeMcpLooks } from '../application/mcp-looks.contract.js';
import type { McpServerRecord } from '../application/mcp-upstream.ports.js';
import { SqlMcpLooks } from './sql-mcp-looks.js';

describeMcpLooks('SqlMcpLooks', async () => {
  const world = await postgresWorld();
  const { executors } = createToolStore();
  const added = async ({ id, environment, name, url, secret, onRunner }: McpServerRecord): Promise<void> => {
    const homeEnvironment = environment === 'production' ? world.home.production : world.home.staging;
    const settings = onRunner === null ? {} : { ...onRunner };
    const audience = `${name}.${environment}`;
    const record = sampleExecutor(homeEnvironment, { id, name, kind: 'mcp', url, secret, settings, audience });
    await world.uow.run(world.home.tenantId, async (tx) => {
      await executors.save(tx, homeEnvironment.id, record, world.home.admin.personId, await tx.now());
    });
  };
  return { world, looks: new SqlMcpLooks(), added };
});
