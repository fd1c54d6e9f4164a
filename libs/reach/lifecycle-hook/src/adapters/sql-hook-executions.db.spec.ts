import type { Tx } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { notifiedChanges } from '../../../../../test/support/notified-changes.js';
import { sampleExecution } from '../application/fake-hook-executions.js';
import { describeHookExecutions } from '../application/hook-executions.contract.js';
import { SqlHookExecutions } from './sql-hook-executions.js';

describeHookExecutions('SqlHookExecutions', async () => ({
  world: await postgresWorld(),
  executions: new SqlHookExecutions(),
}));

it('executions in PostgreSQL tell every replica of each of their states', async () => {
  const world = await postgresWorld();
  const [executions, one] = [new SqlHookExecutions(), sampleExecution()];
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
  const told = await notifiedChanges(world.db.owner, async () => {
    await inTx((tx) => executions.write(tx, [one]));
    await inTx((tx) => executions.claim(tx, one.id, 60_000));
  });
  const about = `${world.home.tenantId}:lifecycle_hook:${one.hookId}`;
  expect(told).toEqual([`${about}:pending`, `${about}:sent`]);
  await world.close();
});
