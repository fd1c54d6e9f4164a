import type { RowSeals } from '#lib/kernel';
import { createToolStore } from '#lib/tool';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { definitionText, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleSession, sampleTrust } from '../application/fake-session.js';
import { describeSessionTrustRepository } from '../application/session-trust-repository.contract.js';
import { SqlSessionRepository } from './sql-session-repository.js';
import { SqlSessionTrustRepository } from './sql-session-trust-repository.js';

const seals = testSeals();

async function open() {
  const world = await postgresWorld();
  const { tenantId, admin } = world.home;
  await world.uow.run(tenantId, async (tx) => {
    for (const tool of [sampleTool('edit_file'), sampleTool('run_tests')])
      await createToolStore().tools.addVersion(tx, tool, definitionText(tool.definition), admin.personId, 0);
  });
  const sessions = new SqlSessionRepository(seals);
  return {
    world,
    trusts: new SqlSessionTrustRepository(seals),
    keepSession: (session: Parameters<typeof sessions.insert>[1]) =>
      world.uow.run(tenantId, (tx) => sessions.insert(tx, session)),
  };
}

describeSessionTrustRepository('SqlSessionTrustRepository', open);

it('T42: a trust covers nothing if another key sealed it', async () => {
  const { world, trusts, keepSession } = await open();
  const { uow, home } = world;
  const forging: RowSeals = { seal: () => Promise.resolve(FORGED_SEAL), holds: () => Promise.resolve(true) };
  const session = sampleSession(home);
  await keepSession(session);
  const forged = sampleTrust(session, home.owner);
  await uow.run(home.tenantId, (tx) => new SqlSessionTrustRepository(forging).insert(tx, forged));
  const refused = { failure: { code: 'record.not_authentic', details: { table: 'session_trust' } } };
  await expect(uow.run(home.tenantId, (tx) => trusts.covering(tx, session.id, forged))).rejects.toMatchObject(refused);
  await expect(uow.run(home.tenantId, (tx) => trusts.find(tx, session.id, forged.id))).rejects.toMatchObject(refused);
  expect(await uow.run(home.tenantId, (tx) => trusts.list(tx, session.id, { limit: 9, after: null }))).toEqual([]);
  await world.close();
});
