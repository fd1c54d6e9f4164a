import { createToolStore } from '#lib/tool';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { definitionText, sampleRollout } from '../../../../registry/tool/src/application/fake-tool.js';
import { describeHaltRepository } from '../application/halt.repository.contract.js';
import { SqlHaltRepository } from './sql-halt.repository.js';

describeHaltRepository('SqlHaltRepository', async () => {
  const world = await postgresWorld();
  const { tenantId, admin } = world.home;
  const rollout = sampleRollout();
  await world.uow.run(tenantId, (tx) =>
    createToolStore().tools.addVersion(tx, rollout, definitionText(rollout.definition), admin.personId, 0),
  );
  return { world, halts: new SqlHaltRepository() };
});
