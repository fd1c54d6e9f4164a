import type { RowSeals } from '#lib/kernel';
import { createToolStore } from '#lib/tool';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { definitionText, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { describeSafeToolRepository } from '../application/safe-tool.repository.contract.js';
import { TypeormSafeToolRepository } from './typeorm-safe-tool.repository.js';

const forging: RowSeals = { seal: () => Promise.resolve(FORGED_SEAL), holds: () => Promise.resolve(true) };

describeSafeToolRepository('TypeormSafeToolRepository', async () => {
  const world = await postgresWorld();
  const { tenantId, admin } = world.home;
  await world.uow.run(tenantId, async (tx) => {
    for (const tool of [sampleTool('edit_file'), sampleTool('run_tests')])
      await createToolStore().tools.addVersion(tx, tool, definitionText(tool.definition), admin.personId, 0);
  });
  return {
    world,
    entries: new TypeormSafeToolRepository(testSeals()),
    forge: (tx, entry) => new TypeormSafeToolRepository(forging).insert(tx, entry),
  };
});
