import { TypeormToolRepository } from '#lib/tool';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { definitionText, sampleRollout } from '../../../../registry/tool/src/application/fake-tool.js';
import { describeHaltRepository } from '../application/halt.repository.contract.js';
import { TypeormHaltRepository } from './typeorm-halt.repository.js';

describeHaltRepository('TypeormHaltRepository', async () => {
  const world = await postgresWorld();
  const { tenantId, admin } = world.home;
  const rollout = sampleRollout();
  await world.uow.run(tenantId, (tx) =>
    new TypeormToolRepository().addVersion(tx, rollout, definitionText(rollout.definition), admin.personId, 0),
  );
  return { world, halts: new TypeormHaltRepository() };
});
