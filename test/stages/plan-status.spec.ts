import { newId, type PlanId, type SimulationId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { makeStages, type Stages } from '../support/stages.js';

let db: TestDatabase;
let stages: Stages;
let planId: PlanId;
let simulationId: SimulationId;

beforeAll(async () => {
  db = await testDatabase();
  stages = await makeStages(db);
  // The lifecycles of requests and runs are tested with them; here only the status that their rows give.
  for (const table of ['approval_request', 'run']) await db.owner.query(`alter table ${table} disable trigger user`);
});
afterAll(() => db.close());
beforeEach(async () => {
  planId = await stages.planned(await stages.task());
  const started = await stages.startSimulation.execute(stages.agent, planId);
  if (!started.ok) throw new Error(started.error.message);
  simulationId = started.value.simulation.id;
  await stages.executeSimulation.execute(stages.tenantId, simulationId);
});

const statusNow = async (): Promise<string> => {
  const { rows } = await db.owner.query<{ status: string }>('select status from plan_status where plan_id = $1', [
    planId,
  ]);
  return rows[0]?.status ?? 'none';
};

interface RequestRow {
  readonly state: string;
  /** Minutes from now. */
  readonly opened?: number;
  readonly expires?: number;
  readonly approvalExpires?: number;
}

const request = (row: RequestRow): Promise<unknown> =>
  db.owner.query(
    `insert into approval_request (tenant_id, id, environment_id, task_id, subject_type, subject_id, state, binding, binding_digest, content_digest, phases, headline, risk, target_count, decision_id, bundle_revision,
                                   decision, excluded, agent_id, credential_id, start, opened_at, expires_at, approved_at,
                                   approval_expires_at, closed_at, closed_reason, seal)
     select plan.tenant_id, $2, task.environment_id, plan.task_id, 'plan', plan.id, $3, '{}', $4, $4, 'all', plan.headline, 3, 0, plan.decision_id, 'r', '{}', '[]', plan.agent_id,
            plan.credential_id, 'manual', clock_timestamp() + $5 * interval '1 minute', clock_timestamp() + $6 * interval '1 minute',
            case when $7::integer is null then null else clock_timestamp() end, clock_timestamp() + $7 * interval '1 minute',
            case when $3 in ('open', 'approved') then null else clock_timestamp() end,
            case when $3 in ('open', 'approved', 'consumed') then null else '{}'::jsonb end, 'k1.' || repeat('A', 43)
       from plan join task on task.tenant_id = plan.tenant_id and task.id = plan.task_id where plan.id = $1`,
    [
      planId,
      newId(),
      row.state,
      `sha256:${'0'.repeat(64)}`,
      row.opened ?? 0,
      row.expires ?? 60,
      row.approvalExpires ?? null,
    ],
  );

const run = async (row: { state: string; created?: number; started?: boolean; finished?: boolean }): Promise<unknown> =>
  db.owner.query(
    `insert into run (tenant_id, id, task_id, plan_id, plan_digest, headline, risk, environment_id, decision_id, approved_terms, state, phases,
                      started_by, created_at, updated_at, started_at, finished_at, outcome, reason, rollback_reason, pause_by, seal)
     select plan.tenant_id, $2, plan.task_id, plan.id, plan.digest, plan.headline, plan.risk, task.environment_id, plan.decision_id, '{}', $3, 'all', '{}',
            moment, moment, case when $5 then moment end, case when $6 then moment end, case when $6 then '{}'::jsonb end, '{}', '{}', case when $3 = 'executing' then moment end, 'k1.' || repeat('A', 43)
       from plan join task on task.tenant_id = plan.tenant_id and task.id = plan.task_id,
            lateral (select clock_timestamp() + $4 * interval '1 minute' as moment) at_that_time
      where plan.id = $1`,
    [planId, newId(), row.state, row.created ?? 0, row.started ?? true, row.finished ?? false],
  );

describe('the status that people see of a live plan', () => {
  it('is simulated while its simulation counts, by the clock', async () => {
    expect(await statusNow()).toBe('simulated');
    await db.owner.query(
      "update simulation set finished_at = finished_at - interval '25 hours', next_at = next_at - interval '25 hours' where id = $1",
      [simulationId],
    );
    expect(await statusNow()).toBe('validated');
  });

  it.each<[string, RequestRow]>([
    ['awaiting_approval', { state: 'open' }],
    ['expired', { state: 'open', opened: -60, expires: -1 }],
    ['approved', { state: 'approved', approvalExpires: 60 }],
    ['expired', { state: 'approved', approvalExpires: -1 }],
    ['expired', { state: 'expired' }],
    ['rejected', { state: 'denied' }],
    ['changes_requested', { state: 'changes_requested' }],
    ['simulated', { state: 'voided' }],
  ])('is %s with a request %j', async (status, row) => {
    await request(row);
    expect(await statusNow()).toBe(status);
  });

  it('goes by the latest request', async () => {
    await request({ state: 'denied', opened: -10 });
    await request({ state: 'open' });
    expect(await statusNow()).toBe('awaiting_approval');
  });

  it.each(['queued', 'executing', 'paused', 'rolling_back'])('is executing with a run that is %s', async (state) => {
    await request({ state: 'consumed', approvalExpires: 60 });
    await run({ state, started: state !== 'queued' });
    expect(await statusNow()).toBe('executing');
  });

  it.each(['completed', 'failed', 'cancelled', 'rolled_back', 'rollback_failed'])(
    'is executed with a run that is %s',
    async (state) => {
      await request({ state: 'consumed', opened: -5, approvalExpires: 60 });
      await run({ state, finished: true });
      expect(await statusNow()).toBe('executed');
    },
  );

  it('is not executed by a run that never started', async () => {
    await request({ state: 'consumed', opened: -5, approvalExpires: 60 });
    await run({ state: 'cancelled', started: false, finished: true });
    expect(await statusNow()).toBe('simulated');
  });

  it('waits again when the rest is asked for after a canary', async () => {
    await request({ state: 'consumed', opened: -10, approvalExpires: 60 });
    await run({ state: 'completed', created: -5, finished: true });
    await request({ state: 'open' });
    expect(await statusNow()).toBe('awaiting_approval');
  });

  it('is the state of the revision itself once it ended, with any request', async () => {
    await request({ state: 'denied' });
    await stages.withdrawPlan.execute(stages.agent, planId);
    expect(await statusNow()).toBe('withdrawn');
  });
});
