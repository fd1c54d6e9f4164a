import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { notifiedChanges } from '../../../../../test/support/notified-changes.js';
import { describeAutomationRunRepository } from '../application/automation-run.repository.contract.js';
import { sampleAutomationRun } from '../application/fake-automation-run.repository.js';
import { sampleAutomation } from '../application/fake-automation.repository.js';
import { SqlAutomationRunRepository } from './sql-automation-run.repository.js';
import { SqlAutomationRepository } from './sql-automation.repository.js';

describeAutomationRunRepository('SqlAutomationRunRepository', async () => {
  const world = await postgresWorld();
  const automation = sampleAutomation(world.home);
  const automations = new SqlAutomationRepository(testSeals());
  await world.uow.run(world.home.tenantId, (tx) => automations.insert(tx, automation));
  return { world, automation, runs: new SqlAutomationRunRepository(testSeals()) };
});

it('automations, their runs and their steps in PostgreSQL tell every replica of their changes', async () => {
  const world = await postgresWorld();
  const [automations, runs] = [new SqlAutomationRepository(testSeals()), new SqlAutomationRunRepository(testSeals())];
  const automation = sampleAutomation(world.home);
  const run = sampleAutomationRun(automation);
  const told = await notifiedChanges(world.db.owner, () =>
    world.uow.run(world.home.tenantId, async (tx) => {
      await automations.insert(tx, automation);
      await automations.save(tx, { ...automation, state: 'disabled', version: 2 });
      await runs.insert(tx, run);
      await runs.insertStep(tx, {
        ...{ runId: run.id, seq: 0, step: 'look', type: 'condition', state: 'succeeded', fault: null, callId: null },
        ...{ startedAt: run.createdAt, finishedAt: run.createdAt },
      });
    }),
  );
  const own = `${world.home.tenantId}:automation:${automation.id}`;
  expect(told).toEqual([
    `${own}:1`,
    `${own}:2`,
    `${own}:queued`,
    `${world.home.tenantId}:automation_run:${run.id}:succeeded`,
  ]);
  await world.close();
});
