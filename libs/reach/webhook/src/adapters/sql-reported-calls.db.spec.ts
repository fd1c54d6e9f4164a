import { newId, type AuditEntryId, type LoggedEvent } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { SqlReportedCalls } from './sql-reported-calls.js';

let world: Awaited<ReturnType<typeof postgresWorld>>;
const [run, plan, write, check] = [newId(), newId(), newId(), newId()];

const invocation = (tool: string, path: string) => ({ tool: { name: tool }, arguments: { path } });
const EXPANDED = {
  phases: [
    {
      index: 0,
      batches: [
        {
          index: 0,
          calls: [
            { seq: 1, invocation: invocation('other', 'x'), compensate_with: null },
            { seq: 2, invocation: invocation('file-write', 'a'), compensate_with: invocation('file-remove', 'b') },
          ],
          health_checks: [{ name: 'probe', invocation: invocation('file-read', 'c') }],
        },
      ],
    },
  ],
};

/** Leaves a table no rule but its key: the test lays the few columns that are read. */
const lay = (table: string): Promise<unknown> =>
  world.db.owner.query(
    `do $$ declare each record; begin
       alter table ${table} disable trigger user;
       for each in select conname from pg_constraint where conrelid = '${table}'::regclass and contype in ('c', 'f') loop
         execute format('alter table ${table} drop constraint if exists %I cascade', each.conname);
       end loop;
       for each in select attname from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and attnotnull
                      and attname not in ('tenant_id', 'id') loop
         execute format('alter table ${table} alter column %I drop not null', each.attname);
       end loop;
     end $$`,
  );

beforeAll(async () => {
  world = await postgresWorld();
  const { owner } = world.db;
  const { tenantId, owner: person } = world.home;
  for (const table of ['plan', 'run', 'run_step', 'step_attempt']) await lay(table);
  await owner.query('insert into plan (tenant_id, id, expanded, person_id) values ($1, $2, $3, $4)', [
    ...[tenantId, plan, JSON.stringify(EXPANDED), person.personId],
  ]);
  await owner.query('insert into run (tenant_id, id, plan_id) values ($1, $2, $3)', [tenantId, run, plan]);
  const step =
    'insert into run_step (tenant_id, id, kind, phase_index, batch_index, seq, step_id) values ($1, $2, $3, 0, 0, 2, $4)';
  await owner.query(step, [tenantId, write, 'call', 'write']);
  await owner.query(step, [tenantId, check, 'health_check', 'probe']);
  const attempt = `insert into step_attempt (tenant_id, id, run_id, run_step_id, purpose, number, result, error)
                   values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7)`;
  await owner.query(attempt, [tenantId, run, write, 'call', 1, null, JSON.stringify({ message: 'no answer' })]);
  await owner.query(attempt, [tenantId, run, write, 'call', 2, JSON.stringify('written'), null]);
  await owner.query(attempt, [tenantId, run, write, 'compensation', 1, JSON.stringify('removed'), null]);
  await owner.query(attempt, [tenantId, run, check, 'call', 1, JSON.stringify('healthy'), null]);
});
afterAll(() => world.close());

const logged = (action: string, payload: LoggedEvent['payload']): LoggedEvent => ({
  id: newId<AuditEntryId>(),
  occurredAt: 0,
  level: 'full',
  action,
  actor: { kind: 'system', id: 'run-executor', display_name: 'run-executor', credential_id: null, on_behalf_of: null },
  subject: { type: 'run', id: run },
  within: [],
  payload,
});

describe('the calls of runs in PostgreSQL', () => {
  it.each([
    ['run.step_unknown', write, 1, { tool: 'file-write', parameters: { path: 'a' }, output: 'no answer' }],
    ['run.step_succeeded', write, 2, { tool: 'file-write', parameters: { path: 'a' }, output: 'written' }],
    ['run.compensation_succeeded', write, 1, { tool: 'file-remove', parameters: { path: 'b' }, output: 'removed' }],
    ['run.step_succeeded', check, 1, { tool: 'file-read', parameters: { path: 'c' }, output: 'healthy' }],
  ])('%s of a step tells its tool, arguments and answer', async (action, step, attempt, call) => {
    const event = logged(action, { run_step_id: step, attempt });
    const calls = await world.uow.run(world.home.tenantId, (tx) => new SqlReportedCalls().of(tx, [event]));
    expect(calls.get(event.id)).toMatchObject({ ...call, model: null });
  });

  it('are absent for facts that were erased, and for an attempt that is not there', async () => {
    const events = [logged('run.step_failed', null), logged('run.step_failed', { run_step_id: write, attempt: 9 })];
    const calls = await world.uow.run(world.home.tenantId, (tx) => new SqlReportedCalls().of(tx, events));
    expect(calls.size).toBe(0);
  });
});
