import { sqlOf } from '#lib/database';
import { type DecisionId, digestText, newId, type PlanId, type TaskId, type ToolVersionId, type Tx } from '#lib/kernel';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { ATTEMPT_TRANSITIONS } from '../domain/attempt-transitions.js';
import { RUN_TRANSITIONS } from '../domain/run-transitions.js';
import type { PlanSample, RunContractWorld } from '../application/fake-run-contract.js';
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

/** The rows that a run refers to and its lists are filtered by, written as the earlier stages would. */
async function planRows(
  tx: Tx,
  { home }: World,
  { environment = home.staging, submitter = home.agent, tool = 'deploy', target = 'host-1' }: PlanSample = {},
): Promise<{ taskId: TaskId; planId: PlanId; decisionId: DecisionId; environmentId: typeof environment.id }> {
  const [taskId, planId, decisionId] = [newId<TaskId>(), newId<PlanId>(), newId<DecisionId>()];
  const insert = (text: string, ...parameters: readonly unknown[]): Promise<number> =>
    sqlOf(tx).execute(text, [tx.tenantId, ...parameters]);
  const by = [
    submitter.kind === 'agent' ? submitter.agentId : null,
    submitter.kind === 'agent' ? null : submitter.personId,
    submitter.credentialId,
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
    ...by,
  );
  await insert(
    `insert into plan (tenant_id, id, task_id, revision, state, document, agent_id, person_id, credential_id,
                       created_at, updated_at)
     values ($1, $2, $3, 1, 'draft', '{}', $4, $5, $6, clock_timestamp(), clock_timestamp())`,
    planId,
    taskId,
    ...by,
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
