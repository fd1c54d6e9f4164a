import type { RowSeals } from '#lib/kernel';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { PlanRecords } from '../../../../../test/support/plan-records.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { describeSubmissionFacts } from '../application/submission-facts.contract.js';
import { SqlSubmissionFacts } from './sql-submission-facts.js';

const seals = testSeals();
const forging: RowSeals = { seal: () => Promise.resolve(FORGED_SEAL), holds: () => Promise.resolve(true) };

describeSubmissionFacts('SqlSubmissionFacts', async () =>
  Object.assign(new PlanRecords(await postgresWorld(), seals), { facts: new SqlSubmissionFacts(seals) }),
);

it('refuses an autonomy document with the seal of another key (T42)', async () => {
  const world = await postgresWorld();
  const records = new PlanRecords(world, forging);
  const held = world.uow.run(world.home.tenantId, async (tx) => {
    const task = sampleTask(world.home);
    await records.tasks.insert(tx, task);
    await records.putAutonomy(tx, { autonomy: { mode: 'full_auto' } });
    return new SqlSubmissionFacts(seals).hold(tx, task.id, []);
  });
  await expect(held).rejects.toMatchObject({ failure: { code: 'record.not_authentic' } });
  await world.close();
});
