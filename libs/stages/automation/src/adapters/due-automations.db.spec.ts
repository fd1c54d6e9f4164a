import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { sampleAutomationRun } from '../application/fake-automation-run.repository.js';
import { sampleAutomation } from '../application/fake-automation.repository.js';
import { MAX_EXECUTING, type AutomationRun } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import { SqlAutomationRunRepository } from './sql-automation-run.repository.js';
import { SqlAutomationRepository } from './sql-automation.repository.js';

let world: Awaited<ReturnType<typeof postgresWorld>>;
beforeAll(async () => {
  world = await postgresWorld();
}, 60_000);
afterAll(() => world.close());

const automations = new SqlAutomationRepository(testSeals());
const runs = new SqlAutomationRunRepository(testSeals());

async function kept(tenant: ContractWorld['home'], name: string) {
  const automation = { ...sampleAutomation(tenant), name };
  await world.uow.run(tenant.tenantId, (tx) => automations.insert(tx, automation));
  return automation;
}

describe('automation_trigger_due', () => {
  it('reads those that are due among ten thousand, the longest due first, and at most 64 of a tenant', async () => {
    const { id } = await kept(world.home, 'sample');
    const there = await kept(world.other, 'elsewhere');
    const owner = (await world.db.owner.query<{ id: string }>('select gen_random_uuid() as id')).rows[0]?.id;
    // Copies without the agents that they would act as.
    await world.db.owner.query(
      `alter table automation drop constraint automation_agent_fk, drop constraint automation_credential_fk,
         drop constraint automation_owner_fk, disable trigger user`,
    );
    const start = Date.UTC(2029, 0, 1);
    const copy = (tenant: string, like: AutomationId, count: number) =>
      world.db.owner.query(
        `insert into automation
           select tenant_id, gen_random_uuid(), 'a' || n, environment_id, 'enabled', 2, revision, source_sha256, $4, $4, $4, 0,
                  now(), $5::timestamptz + n * interval '1 minute', null, proposed_at, seal
             from automation, generate_series(1, $3) n where tenant_id = $1 and id = $2`,
        [tenant, like, count, owner, new Date(start)],
      );
    await copy(world.home.tenantId, id, 10_000);
    await copy(world.other.tenantId, there.id, 1);
    await world.db.owner.query('vacuum analyze automation');
    const due = (minutes: number, full: readonly string[] = []) =>
      world.db.systemQuery.call('automation_trigger_due', new Date(start + minutes * 60_000), 1_000, [], full);
    expect(await due(0)).toEqual([]);
    const two = await due(2.5);
    expect(two.map(({ tenantId }) => tenantId).sort()).toEqual(
      [world.home.tenantId, world.home.tenantId, world.other.tenantId].sort(),
    );
    expect(await due(2.5, [world.home.tenantId])).toHaveLength(1);
    expect(await due(5_000)).toHaveLength(65);
    const { rows } = await world.db.owner.query<{ body: string }>(
      `select pg_get_function_sqlbody('automation_trigger_due'::regproc) as body`,
    );
    const query = (rows[0]?.body ?? '')
      .replace(/^\s*BEGIN ATOMIC/, '')
      .replace(/;\s*END\s*$/, '')
      .replaceAll('automation_trigger_due.', '')
      .replace(/\bmost\b/, '1000')
      .replace(/<= at\b/, `<= '${new Date(start + 150_000).toISOString()}'::timestamptz`)
      .replaceAll(/\b(held|full_tenants)\b/g, `'{}'::uuid[]`);
    const plan = await world.db.owner.query<{ readonly 'QUERY PLAN': string }>(`explain (analyze) ${query}`);
    const scans = plan.rows
      .map((row) => row['QUERY PLAN'])
      .filter((line) => line.includes('Scan') && !line.includes('tenant'));
    expect(scans).toEqual([
      expect.stringMatching(/Index Only Scan using automation_next_idx .*rows=(1\.50|2) loops=2/),
    ]);
  });
});

describe('automation_advance_due', () => {
  const start = Date.UTC(2031, 0, 1);
  const due = async (): Promise<readonly string[]> => {
    const found = await world.db.systemQuery.call('automation_advance_due', new Date(start + 1_000), 1_000, [], []);
    return found.map(({ id }) => id);
  };
  const queued = async (name: string, at: number): Promise<AutomationRun> => {
    const run = sampleAutomationRun(await kept(world.home, name), start + at);
    await world.uow.run(world.home.tenantId, (tx) => runs.insert(tx, run));
    return run;
  };
  const counted = () => world.uow.run(world.home.tenantId, (tx) => runs.countExecuting(tx));

  it('has runs whose turn it is, as long as there is room among those of their tenant', async () => {
    const waiting: AutomationRun[] = [];
    for (let at = 0; at <= MAX_EXECUTING; at += 1) waiting.push(await queued(`full-${String(at)}`, at));
    expect(await due()).toEqual(waiting.slice(0, MAX_EXECUTING).map(({ id }) => id));
    const [first, second, ...others] = waiting.slice(0, MAX_EXECUTING);
    const save = (run: AutomationRun | undefined, changes: Partial<AutomationRun>) =>
      world.uow.run(world.home.tenantId, async (tx) => {
        if (run !== undefined) await runs.save(tx, { ...run, ...changes });
      });
    for (const run of [first, second, ...others]) await save(run, { state: 'executing' });
    expect(await counted()).toBe(MAX_EXECUTING);
    const last = waiting.at(-1)?.id;
    expect(await due()).not.toContain(last);
    await save(first, { state: 'completed', finishedAt: start + 500 });
    expect(await due()).toContain(last);
    const behind = { ...sampleAutomationRun(await kept(world.home, 'behind'), start + 200) };
    const next = { ...sampleAutomationRun({ ...sampleAutomation(world.home), id: behind.automationId }, start + 300) };
    for (const run of [second, ...others]) await save(run, { state: 'completed', finishedAt: start + 500 });
    await world.uow.run(world.home.tenantId, async (tx) => [
      await runs.insert(tx, behind),
      await runs.insert(tx, next),
    ]);
    expect(await due()).toEqual([last, behind.id]);
  });
});
