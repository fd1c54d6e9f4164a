import { sqlOf } from '#lib/database';
import { type DecisionId, digestText, newId, type PlanId, type TaskId, type ToolVersionId, type Tx } from '#lib/kernel';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { ATTEMPT_TRANSITIONS } from '../domain/attempt-transitions.js';
import { RUN_TRANSITIONS } from '../domain/run-transitions.js';
import type { PlanSample, RunContractWorld } from '../application/fake-run-contract.js';
import { sampleAttempt, sampleRun, sampleStep } from '../application/fake-run-samples.js';
import type { QueuedRun } from '../domain/run.js';
import type { PendingStep } from '../domain/run-step.js';
import { dispatched } from '../domain/step-changes.js';
import { describeRunRepository } from '../application/run.repository.contract.js';
import { SqlRunRepository } from './sql-run.repository.js';

type World = Awaited<ReturnType<typeof postgresWorld>>;

describeRunRepository('runs in PostgreSQL', async (): Promise<RunContractWorld> => {
  const world = await postgresWorld();
  return {
    ...world,
    runs: new SqlRunRepository(testSeals()),
    plan: (sample) => world.uow.run(world.home.tenantId, (tx) => planRows(tx, world, sample)),
    forge: async (id) => {
      await world.db.owner.query('update run set seal = $2 where id = $1', [id, FORGED_SEAL]);
    },
  };
});

describe('the database', () => {
  let world: World;
  beforeAll(async () => {
    world = await postgresWorld();
  });
  afterAll(() => world.close());

  it.each([
    ['run_transition', RUN_TRANSITIONS],
    ['attempt_transition', ATTEMPT_TRANSITIONS],
  ] as const)('holds the same %s as the domain', async (table, transitions) => {
    const { rows } = await world.db.owner.query<{ from_state: string; event: string; to_state: string }>(
      `select * from ${table}`,
    );
    const sorted = (list: readonly (readonly string[])[]): string[] => list.map((row) => row.join(' ')).sort();
    expect(sorted(rows.map((row) => [row.from_state, row.event, row.to_state]))).toEqual(sorted(transitions));
  });
});

describe('a row of a run', () => {
  let world: World;
  let run: QueuedRun;
  let step: PendingStep;
  const runs = new SqlRunRepository(testSeals());
  beforeAll(async () => {
    world = await postgresWorld();
    run = sampleRun(await world.uow.run(world.home.tenantId, (tx) => planRows(tx, world)));
    step = sampleStep(run);
    await world.uow.run(world.home.tenantId, async (tx) => {
      await runs.insert(tx, run, [step]);
      await runs.insertAttempt(tx, sampleAttempt(run, step));
    });
  });
  afterAll(() => world.close());

  const refusal = (text: string, id: string): Promise<{ code?: string; constraint?: string }> =>
    world.db.owner.query(text, [id]).then(
      () => ({}),
      (error: unknown) => error as { code: string; constraint: string },
    );

  it.each([
    ['ended at no time', "state = 'cancelled', next_at = null, reason = '{}'", 'run_finished_check'],
    ['ended while it goes on', "finished_at = now(), outcome = '{}', next_at = null", 'run_finished_check'],
    [
      'ended and looked at again',
      "state = 'cancelled', finished_at = now(), outcome = '{}', reason = '{}'",
      'run_next_at_check',
    ],
    [
      'ended without an outcome',
      "state = 'cancelled', finished_at = now(), next_at = null, reason = '{}'",
      'run_outcome_check',
    ],
    ['asked for something without a person', "requested = 'pause'", 'run_requested_by_check'],
    ['asked for nothing by somebody', "requested_by = '{}'", 'run_requested_by_check'],
    ['executing without a time limit', "state = 'executing', started_at = now()", 'run_pause_by_check'],
    ['executing before its start', "state = 'executing', pause_by = now()", 'run_started_check'],
    [
      'failed for no reason',
      "state = 'failed', finished_at = now(), outcome = '{}', next_at = null",
      'run_reason_check',
    ],
  ])('is never %s', async (_what, columns, constraint) => {
    expect(await refusal(`update run set ${columns} where id = $1`, run.id)).toMatchObject({
      code: '23514',
      constraint,
    });
  });

  it.each([
    ['in flight without a lease', "state = 'dispatched'", 'run_step_dispatched_check'],
    ['leased while nothing of it is in flight', 'lease_until = now()', 'run_step_lease_check'],
    ['unknown in nothing', "unknown_of = 'call'", 'run_step_unknown_check'],
    ['pending and finished', 'finished_at = now()', 'run_step_finished_check'],
  ])('of a step is never %s', async (_what, columns, constraint) => {
    const refused = await refusal(`update run_step set ${columns} where id = $1`, step.id);
    expect(refused).toMatchObject({ code: '23514', constraint });
  });

  it.each([
    ['failed with no effect told', "outcome = 'failed', error = '{}'", 'step_attempt_effect_of_failure_check'],
    ['failed without an error', "outcome = 'failed', effect = 'done'", 'step_attempt_error_there_check'],
  ])('of an attempt is never %s', async (_what, columns, constraint) => {
    const refused = await refusal(
      `update step_attempt set finished_at = now(), ${columns} where run_step_id = $1`,
      step.id,
    );
    expect(refused).toMatchObject({ code: '23514', constraint });
  });

  it('begins in the first state of its lifecycle', async () => {
    const copy = (table: string, changes: string): string =>
      `insert into ${table} select changed.* from ${table} row,
         lateral jsonb_populate_record(row, jsonb_build_object(${changes})) changed where row.id = $1`;
    const executing = "'id', gen_random_uuid(), 'state', 'executing', 'started_at', now(), 'pause_by', now()";
    expect(await refusal(copy('run', executing), run.id)).toMatchObject({ code: 'CS002' });
    const inFlight = "'id', gen_random_uuid(), 'state', 'dispatched', 'lease_until', now(), 'position', 2";
    expect(await refusal(copy('run_step', inFlight), step.id)).toMatchObject({ code: 'CS002' });
  });

  it.each([
    ['reason', 'reason', '{"code": 1}'],
    ['terms', 'approved_terms', '{"outcome": "sure"}'],
  ])('with a %s of another shape is not read (record.malformed)', async (_what, column, value) => {
    const of = (): Promise<unknown> => world.uow.run(world.home.tenantId, (tx) => runs.find(tx, run.id));
    const before = await world.db.owner.query(`select ${column} as value from run where id = $1`, [run.id]);
    await world.db.owner.query(`update run set ${column} = $2 where id = $1`, [run.id, value]);
    await expect(of()).rejects.toMatchObject({ failure: { code: 'record.malformed', kind: 'internal' } });
    const [{ value: as }] = before.rows as [{ value: unknown }];
    await world.db.owner.query(`update run set ${column} = $2 where id = $1`, [run.id, as]);
    expect(await of()).toEqual(run);
  });
});

describe('the facts of a turn', () => {
  let world: World;
  let run: QueuedRun;
  let step: PendingStep;
  const runs = new SqlRunRepository(testSeals());
  beforeAll(async () => {
    world = await postgresWorld();
    run = sampleRun(await world.uow.run(world.home.tenantId, (tx) => planRows(tx, world)));
    step = sampleStep(run);
    await world.uow.run(world.home.tenantId, (tx) => runs.insert(tx, run, [step]));
  });
  afterAll(() => world.close());

  const factsIn = async (tx: Tx): Promise<unknown> => {
    const [row] = await sqlOf(tx).query<{ facts: unknown }>(
      "select run_turn_facts($1, $2, $3, $4, null, null, '{deploy}', '{}') as facts",
      [run.id, run.taskId, run.planId, run.environmentId],
    );
    return row?.facts;
  };
  const facts = (): Promise<unknown> => world.uow.run(world.home.tenantId, factsIn);

  it.each([
    ['task', "update task set state = 'planned' where tenant_id = $1", { task: { state: 'planned' } }],
    ['plan', "update plan set state = 'invalid' where tenant_id = $1", { plan: { state: 'invalid' } }],
    ['run', 'update run set event_count = 7 where tenant_id = $1', { run: { event_count: 7 } }],
    ['tool', 'update tool set removed = true where tenant_id = $1', { tools: [] }],
  ] as const)('name the %s as it is after a wait for its lock', async (_row, change, changed) => {
    expect(await facts()).not.toMatchObject(changed);
    const changing = await world.db.owner.connect();
    try {
      await changing.query('begin');
      await changing.query(change, [world.home.tenantId]);
      const reading = facts();
      await world.blocked();
      await changing.query('commit');
      expect(await reading).toMatchObject(changed);
    } finally {
      changing.release(true);
    }
  });

  it('name the version of the plan that a wait ended with', async () => {
    const changing = await world.db.owner.connect();
    try {
      await changing.query('begin');
      await changing.query('update plan set updated_at = clock_timestamp() where id = $1', [run.planId]);
      const reading = facts();
      await world.blocked();
      await changing.query('commit');
      const { rows } = await world.db.owner.query(
        'select xmin::text || ctid::text as row_version from plan where id = $1',
        [run.planId],
      );
      expect(await reading).toMatchObject({ plan: rows[0] });
    } finally {
      changing.release(true);
    }
  });

  it('are planned once a database session, and find rows of tools and attempts by key in tables of any size', async () => {
    const attempt = sampleAttempt(run, step);
    const inFlight = dispatched(step, { now: attempt.dispatchedAt, until: attempt.leaseUntil });
    const { rows: planning } = await world.db.owner.query(
      "select proconfig from pg_proc where oid = 'run_turn_facts'::regproc",
    );
    expect(planning).toEqual([{ proconfig: ['plan_cache_mode=force_generic_plan'] }]);
    await world.db.owner.query('update tool set removed = false where tenant_id = $1', [world.home.tenantId]);
    await world.uow.run(world.home.tenantId, async (tx) => {
      await runs.insertAttempt(tx, attempt);
      await runs.saveStep(tx, inFlight);
      // PostgreSQL reads a table whole if it counted few rows there. Here it plans as for many rows.
      await sqlOf(tx).execute('discard plans');
      await sqlOf(tx).execute('set local enable_seqscan = off');
      // PostgreSQL counts for the transaction and for earlier ones of its connection that it has not told of yet.
      const scans = (): Promise<unknown> =>
        sqlOf(tx).query(
          `select relname, seq_scan from pg_stat_xact_user_tables where relname in ('tool_version', 'step_attempt') order by relname`,
        );
      const before = await scans();
      expect(await factsIn(tx)).toMatchObject({ tools: [{ name: 'deploy' }], in_flight: [{ id: attempt.id }] });
      expect(await scans()).toEqual(before);
    });
  });
});

/** The rows that a run refers to and its lists are filtered by, written as the earlier stages would. */
async function planRows(
  tx: Tx,
  { home }: World,
  {
    environment = home.staging,
    submitter = home.agent,
    taskSubmitter = submitter,
    tool = 'deploy',
    target = 'host-1',
  }: PlanSample = {},
): Promise<{ taskId: TaskId; planId: PlanId; decisionId: DecisionId; environmentId: typeof environment.id }> {
  const [taskId, planId, decisionId] = [newId<TaskId>(), newId<PlanId>(), newId<DecisionId>()];
  const insert = (text: string, ...parameters: readonly unknown[]): Promise<number> =>
    sqlOf(tx).execute(text, [tx.tenantId, ...parameters]);
  const by = (of: typeof submitter) => [
    of.kind === 'agent' ? of.agentId : null,
    of.kind === 'agent' ? null : of.personId,
    of.credentialId,
  ];
  const digest = digestText('policy-input', '{}');
  await sqlOf(tx).execute(
    `insert into policy_bundle (revision, wasm_digest, entrypoints, sources, wasm)
     values ($1, $1, '{}', '{}', '') on conflict do nothing`,
    [digest],
  );
  await insert(
    `insert into decision (tenant_id, id, subject_type, subject_id, within, entrypoint, bundle_revision, input, input_digest, result,
                           outcome, decided_at)
     values ($1, $2::uuid, 'plan', $2::text, '[]', 'plan', $3, '{}', $3, '{"outcome": "allow"}', 'allow', clock_timestamp())`,
    decisionId,
    digest,
  );
  await insert(
    `insert into task (tenant_id, id, environment_id, state, spec, spec_digest, agent_id, person_id, credential_id,
                       created_at, updated_at)
     values ($1, $2, $3, 'created', '{}', $4, $5, $6, $7, clock_timestamp(), clock_timestamp())`,
    taskId,
    environment.id,
    digest,
    ...by(taskSubmitter),
  );
  await insert(
    `insert into plan (tenant_id, id, task_id, revision, state, document, agent_id, person_id, credential_id,
                       created_at, updated_at)
     values ($1, $2, $3, 1, 'draft', '{}', $4, $5, $6, clock_timestamp(), clock_timestamp())`,
    planId,
    taskId,
    ...by(submitter),
  );
  await insert('insert into plan_target (tenant_id, plan_id, target) values ($1, $2, $3)', planId, target);
  await insert(
    `insert into tool (tenant_id, id, name, version, removed, created_at, updated_at)
     values ($1, $2, $3, 1, false, clock_timestamp(), clock_timestamp()) on conflict do nothing`,
    newId(),
    tool,
  );
  await insert(
    `insert into tool_version (tenant_id, id, tool_id, name, version, digest, definition, created_at, created_by)
     select $1, $2, id, name, 1, $4, '{}', clock_timestamp(), $5 from tool where name = $3 on conflict do nothing`,
    newId<ToolVersionId>(),
    tool,
    digest,
    home.owner.personId,
  );
  await insert(
    `insert into plan_tool (tenant_id, plan_id, tool_version_id, tool_name)
     select $1, $2, id, name from tool_version where name = $3`,
    planId,
    tool,
  );
  return { taskId, planId, decisionId, environmentId: environment.id };
}
