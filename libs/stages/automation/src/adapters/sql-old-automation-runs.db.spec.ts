import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import { sampleAutomationRun } from '../application/fake-automation-run.repository.js';
import { sampleAutomation } from '../application/fake-automation.repository.js';
import { SqlAutomationRunRepository } from './sql-automation-run.repository.js';
import { SqlAutomationRepository } from './sql-automation.repository.js';
import type { AutomationRun } from '../domain/automation.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { oldAutomationRuns } from './sql-old-automations.js';

const START = Date.UTC(2026, 0, 5);
const DAY_MS = 24 * 3_600_000;

it("deletes old runs with their steps, but for an automation's newest one, those that go on, and those of elsewhere", async () => {
  const world = await postgresWorld();
  const runs = new SqlAutomationRunRepository(testSeals());
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
  const automation = async () => {
    const made = sampleAutomation(world.home);
    await atHome((tx) => new SqlAutomationRepository(testSeals()).insert(tx, made));
    return made;
  };
  const run = async (of: Awaited<ReturnType<typeof automation>>, day: number, ends = true): Promise<AutomationRun> => {
    const at = START + day * DAY_MS;
    const fault = { code: 'automation.overlap', message: 'It was left out' };
    const ended = { state: 'skipped', fault, finishedAt: at } as const;
    const made: AutomationRun = { ...sampleAutomationRun(of, at), ...(ends ? ended : {}) };
    await atHome(async (tx) => {
      await runs.insert(tx, made);
      await runs.insertStep(tx, {
        ...{ runId: made.id, seq: 0, step: 'look', type: 'tool_action', state: 'skipped', fault: null, callId: null },
        ...{ startedAt: at, finishedAt: at },
      });
    });
    return made;
  };
  const [busy, quiet] = [await automation(), await automation()];
  const [, open, young, newest] = [
    await run(busy, 0),
    await run(busy, 1, false),
    await run(busy, 50),
    await run(busy, 51),
  ];
  const alone = await run(quiet, 0);
  const before = new Date(START + 40 * DAY_MS);
  const tenants = await world.db.systemQuery.call('automation_run_ended_tenants', before);
  expect(tenants.map(({ tenantId }) => tenantId)).toEqual([world.home.tenantId]);
  const drop = (tenantId = world.home.tenantId) =>
    world.uow.run(tenantId, (tx) => oldAutomationRuns(1).drop(tx, before));
  expect([await drop(world.other.tenantId), await drop(), await drop()]).toEqual([0, 1, 0]);
  const left = await world.db.owner.query<{ id: string }>('select id from automation_run order by created_at, id');
  const ids = [open, young, newest, alone].map(({ id }) => id);
  expect(left.rows.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect((await world.db.owner.query('select from automation_step_run')).rowCount).toBe(ids.length);
  const goesOn = atHome(async (tx) => {
    await sqlOf(tx).execute('delete from automation_step_run where run_id = $1', [open.id]);
    await sqlOf(tx).execute('delete from automation_run where id = $1', [open.id]);
  });
  await expect(goesOn).rejects.toMatchObject({ code: 'CS001' });
  await world.close();
});
