import { createAutonomyStore } from '#lib/autonomy';
import { createHaltStore } from '#lib/halt';
import type { RowSeals } from '#lib/kernel';
import { createToolStore } from '#lib/tool';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { sampleRevision } from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { describeCallFacts } from '../application/call-facts.contract.js';
import { SqlCallFacts } from './sql-call-facts.js';

const seals = testSeals();

describeCallFacts('SqlCallFacts', async () => ({
  world: await postgresWorld(),
  facts: new SqlCallFacts(seals),
  ...createToolStore(),
  revisions: createAutonomyStore(seals).revisions,
  // The store alone is used; no use case of halts runs here.
  halts: createHaltStore(),
}));

it('refuses an autonomy document with the seal of another key (T42)', async () => {
  const world = await postgresWorld();
  const { tenantId, admin } = world.home;
  const forging: RowSeals = { seal: () => Promise.resolve(FORGED_SEAL), holds: () => Promise.resolve(true) };
  const revision = sampleRevision('autonomy:\n  mode: full_auto\n', { createdBy: admin.personId });
  await world.uow.run(tenantId, (tx) => createAutonomyStore(forging).revisions.put(tx, revision));
  const call = { tool: 'look', environment: 'production', agentId: null };
  const read = world.uow.run(tenantId, (tx) => new SqlCallFacts(seals).read(tx, call));
  await expect(read).rejects.toMatchObject({ failure: { code: 'record.not_authentic' } });
  await world.close();
});
