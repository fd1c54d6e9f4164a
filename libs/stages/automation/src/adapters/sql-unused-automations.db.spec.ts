import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import { unusedAutomations } from './sql-old-automations.js';
import { sampleAutomationRun } from '../application/fake-automation-run.repository.js';
import { sampleAutomation } from '../application/fake-automation.repository.js';
import { SqlAutomationRunRepository } from './sql-automation-run.repository.js';
import { SqlAutomationRepository } from './sql-automation.repository.js';
import type { Automation } from '../domain/automation.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import type { AutomationId } from '../domain/ids.js';

const START = Date.UTC(2026, 0, 5);
const DAY_MS = 24 * 3_600_000;
const BEFORE = new Date(START + 30 * DAY_MS);

let world: Awaited<ReturnType<typeof postgresWorld>>;
beforeAll(async () => {
  world = await postgresWorld();
}, 60_000);
afterAll(() => world.close());

const automations = new SqlAutomationRepository(testSeals());
const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);

async function proposed(day: number): Promise<Automation> {
  const automation = sampleAutomation(world.home, START + day * DAY_MS);
  await atHome(async (tx) => {
    await automations.insert(tx, automation);
    await automations.addRevision(tx, automation.id, automation.revision);
  });
  return automation;
}

async function disabled(automation: Automation): Promise<AutomationId> {
  await atHome((tx) => automations.save(tx, { ...automation, state: 'disabled', version: automation.version + 1 }));
  return automation.id;
}

/** One that was enabled, and is disabled. */
async function used(day: number): Promise<AutomationId> {
  const { agent, owner } = world.home;
  const identity = { agentId: agent.agentId, credentialId: agent.credentialId, ownerId: owner.personId };
  const enabled: Automation = { ...(await proposed(day)), state: 'enabled', version: 2, identity };
  await atHome((tx) => automations.save(tx, enabled));
  return disabled(enabled);
}

const deletion = (id: AutomationId) =>
  atHome((tx) => sqlOf(tx).execute('delete from automation where tenant_id = $1 and id = $2', [tx.tenantId, id]));

it('deletes old proposals that were withdrawn or rejected, with their sources and secrets, and no others', async () => {
  const old = [await disabled(await proposed(0)), await disabled(await proposed(1))];
  const left = [(await proposed(0)).id, await used(0), await disabled(await proposed(30))];
  const forged = await proposed(0);
  await atHome((tx) => new SqlAutomationRunRepository(testSeals()).insert(tx, sampleAutomationRun(forged, START)));
  left.push(await disabled(forged));
  for (const id of [...old, ...left])
    await world.db.owner.query(
      `insert into automation_secret (tenant_id, id, automation_id, key_id, nonce, ciphertext)
         values ($1, gen_random_uuid(), $2, 'k', ''::bytea, ''::bytea)`,
      [world.home.tenantId, id],
    );
  const tenants = await world.db.systemQuery.call('automation_unused_tenants', BEFORE);
  expect(tenants.map(({ tenantId }) => tenantId)).toEqual([world.home.tenantId]);
  const drop = (tenantId = world.home.tenantId) =>
    world.db.uow.run(tenantId, (tx) => unusedAutomations.drop(tx, BEFORE));
  expect([await drop(world.other.tenantId), await drop(), await drop()]).toEqual([0, 2, 0]);
  for (const [table, column] of [
    ['automation', 'id'],
    ['automation_revision', 'automation_id'],
    ['automation_secret', 'automation_id'],
  ] as const) {
    const { rows } = await world.db.owner.query<{ id: string }>(`select ${column} as id from ${table}`);
    expect(rows.map(({ id }) => id).sort()).toEqual([...left].sort());
  }
});

it('leaves no right to delete one that waits or was enabled, or a source alone (CS001)', async () => {
  const [waiting, once] = [await proposed(0), await used(0)];
  await expect(deletion(waiting.id)).rejects.toMatchObject({ code: 'CS001' });
  await expect(deletion(once)).rejects.toMatchObject({ code: 'CS001' });
  const source = world.db.owner.query('delete from automation_revision where automation_id = $1', [waiting.id]);
  await expect(source).rejects.toMatchObject({ code: 'CS001' });
  const change = world.db.owner.query('update automation_revision set sha256 = sha256 where automation_id = $1', [
    waiting.id,
  ]);
  await expect(change).rejects.toMatchObject({ code: 'CS001' });
});
