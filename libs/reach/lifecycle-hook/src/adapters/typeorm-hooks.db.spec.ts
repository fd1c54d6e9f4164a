import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { sampleHook } from '../application/fake-hooks.js';
import { describeHooks } from '../application/hooks.contract.js';
import { TypeormHooks } from './typeorm-hooks.js';

describeHooks('TypeormHooks', async () => ({ world: await postgresWorld(), hooks: new TypeormHooks(testSeals()) }));

it('T42: a hook whose row somebody changed in the database is not in force', async () => {
  const world = await postgresWorld();
  const hooks = new TypeormHooks(testSeals());
  const [one, two] = [sampleHook(world.home), sampleHook(world.home, { name: 'another', position: 1 })];
  await world.uow.run(world.home.tenantId, (tx) => hooks.replace(tx, [one, two]));
  await world.db.owner.query("update lifecycle_hook set matcher = 'changed' where id = $1", [one.id]);
  expect(await world.uow.run(world.home.tenantId, (tx) => hooks.all(tx))).toEqual([two]);
  await world.close();
});
