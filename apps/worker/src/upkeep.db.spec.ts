import type { AuditLog } from '#lib/audit';
import { sqlOf } from '#lib/database';
import { newId, type Actor, type TenantId } from '#lib/kernel';
import { testAuditLog, type TestAuditLog } from '../../../test/support/audit-log.js';
import type { TestDatabase } from '../../../test/support/database.js';
import { upkeep } from './upkeep.js';

const actor: Actor = { kind: 'system', id: 'test', display_name: 'test', credential_id: null, on_behalf_of: null };

let db: TestDatabase;
let log: AuditLog;
let made: TestAuditLog;
const [one, two] = [newId<TenantId>(), newId<TenantId>()];

beforeAll(async () => {
  made = await testAuditLog();
  ({ db, log } = made);
  for (const id of [one, two]) {
    const slug = id.slice(-12);
    await db.owner.query('insert into tenant (id, slug, name, created_at) values ($1, $2, $2, now())', [id, slug]);
  }
});
afterAll(() => made.close());

const rounds = (erasePayloads = log.erasePayloads): ReadonlyMap<string, () => Promise<void>> =>
  new Map(
    upkeep(
      { uow: db.uow, systemQuery: db.systemQuery },
      { erasePayloads },
      { rotateIfOlderThan: () => Promise.resolve() },
      90,
    ).map(({ name, round }) => [name, round]),
  );

const record = (tenantId: TenantId): Promise<void> =>
  db.uow.run(tenantId, (tx) =>
    log.sink.record(tx, {
      action: 'thing.done',
      actor,
      level: 'basic',
      subject: { type: 'thing', id: 'x' },
      payload: { secret_of_the_day: 1 },
    }),
  );

const keepThirtyDays = (tenantId: TenantId) =>
  db.owner.query(`insert into audit_retention (tenant_id, level, keep_days, set_at) values ($1, 'basic', 30, now())`, [
    tenantId,
  ]);

describe('upkeep', () => {
  it('adds the partitions of the coming months, and names one that it cannot add', async () => {
    const { rows } = await db.owner.query<{ part: string }>(
      `select max(inhrelid::regclass::text) filter (where relpartbound is not null and relname !~ 'default$') as part
         from pg_inherits join pg_class on oid = inhrelid where inhparent = 'decision'::regclass`,
    );
    const part = rows[0]?.part ?? '';
    const remove = (): Promise<unknown> =>
      db.owner.query(`alter table decision detach partition ${part}; drop table ${part}`);
    await remove();
    await rounds().get('months')?.();
    expect((await db.owner.query('select from pg_class where relname = $1', [part])).rowCount).toBe(1);
    await remove();
    await db.owner.query('alter table decision drop constraint decision_bundle_fk, drop constraint decision_tenant_fk');
    await db.owner.query(
      `insert into decision (tenant_id, id, subject_type, subject_id, within, entrypoint, bundle_revision, input,
                             input_digest, result, outcome, decided_at)
       values ($1, countersign_first_id(to_timestamp(right($2, 7), 'YYYY_MM') + interval '14 days'), 'plan', 'x', '[]', 'plan', 'x', '{}',
               'sha256:' || repeat('0', 64), '{"outcome": "deny"}', 'deny', now())`,
      [one, part],
    );
    await expect(rounds().get('months')?.()).rejects.toThrow(`rows of ${part} stand in the default partitions`);
  });

  it('erases the payloads that a tenant does not keep any longer, and those of no other', async () => {
    for (const id of [one, two]) await record(id);
    await keepThirtyDays(one);
    await db.owner.query('alter table audit_entry disable trigger user');
    await db.owner.query(
      "update audit_entry set occurred_at = occurred_at - interval '31 days' where action = 'thing.done'",
    );
    await db.owner.query('alter table audit_entry enable trigger user');
    await rounds().get('audit-retention')?.();
    const { rows } = await db.owner.query<{ tenant_id: string }>(
      "select tenant_id from audit_entry where action = 'thing.done' and payload is not null",
    );
    expect(rows).toEqual([{ tenant_id: two }]);
  });

  it('goes on with other tenants if one fails, and reports it', async () => {
    await keepThirtyDays(two);
    const asked: string[] = [];
    const execute = (tenantId: TenantId): Promise<number> => {
      asked.push(tenantId);
      return asked.length === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(0);
    };
    const failing = { execute } as unknown as AuditLog['erasePayloads'];
    await expect(rounds(failing).get('audit-retention')?.()).rejects.toThrow('upkeep failed in 1 tenants');
    expect(asked.sort()).toEqual([one, two].sort());
  });

  it('deletes expired answers, and no others', async () => {
    await db.owner.query('alter table idempotency_record drop constraint idempotency_record_credential_fk');
    for (const [key, age] of [
      ['old', '25 hours'],
      ['fresh', '23 hours'],
    ]) {
      await db.owner.query(
        `insert into idempotency_record (tenant_id, id, credential_id, idempotency_key, operation, request_digest, created_at, expires_at)
         values ($1, $2, $2, $3, 'POST /v1/tasks', $4, now() - $5::interval, now() - $5::interval + interval '24 hours')`,
        [one, newId(), key, `sha256:${'0'.repeat(64)}`, age],
      );
    }
    await rounds().get('kept-answers')?.();
    const { rows } = await db.owner.query('select idempotency_key from idempotency_record');
    expect(rows).toEqual([{ idempotency_key: 'fresh' }]);
  });

  it('deletes Slack interactions a day after the work on them, and none that waits', async () => {
    const clicks = { old: '25 hours', fresh: '23 hours', waiting: null };
    for (const [name, age] of Object.entries(clicks)) {
      await db.owner.query(
        `insert into slack_interaction (tenant_id, id, body_digest, payload, received_at, next_attempt_at, done_at, outcome)
         values ($1, $2, sha256($3::text::bytea), jsonb_build_object('comment', $3::text), now() - interval '9 days', now(),
           now() - $4::interval, case when $4 is not null then 'done' end)`,
        [one, newId(), name, age],
      );
    }
    await rounds().get('slack-interactions')?.();
    const { rows } = await db.owner.query<{ name: string }>(
      "select payload ->> 'comment' as name from slack_interaction order by 1",
    );
    expect(rows.map(({ name }) => name)).toEqual(['fresh', 'waiting']);
  });

  it('deletes delivered messages after a month, but not the cause of one that could not be delivered', async () => {
    const write = async (
      topic: string,
      cause: string | null,
      state: string,
      days: number,
      written = days,
    ): Promise<string> => {
      const id = newId();
      await db.owner.query(
        `insert into outbox_message (tenant_id, id, topic, payload, state, next_attempt_at, created_at, cause_id, destination)
         values ($1, $2, $3, '{}', 'pending', now(), now() - $5 * interval '1 day', $4,
                 case when $4::uuid is not null then 'slack:C1:subject' end)`,
        [one, id, topic, cause, written],
      );
      await db.owner.query(
        `update outbox_message set state = $2, delivered_at = case when $2 = 'delivered' then now() - $3 * interval '1 day' end
          where id = $1`,
        [id, state, days],
      );
      return id;
    };
    await write('gone_of_it', await write('gone', null, 'delivered', 31), 'delivered', 31);
    await write('failed_of_it', await write('kept', null, 'delivered', 31), 'failed', 31);
    await write('fresh', null, 'delivered', 29);
    await write('late', null, 'delivered', 29, 31);
    await rounds().get('delivered-messages')?.();
    const { rows } = await db.owner.query<{ topic: string }>('select topic from outbox_message order by topic');
    expect(rows.map(({ topic }) => topic)).toEqual(['failed_of_it', 'fresh', 'kept', 'late']);
    const emptied = db.uow.run(one, (tx) => sqlOf(tx).execute('delete from outbox_message'));
    await expect(emptied).rejects.toMatchObject({ code: 'CS001' });
  });

  it('deletes executions of hooks thirty days after their end, and none that waits', async () => {
    for (const [event, state, days] of [
      ['run.old', 'refused', 31] as const,
      ['run.fresh', 'refused', 29] as const,
      ['run.waiting', 'pending', null] as const,
    ])
      await db.owner.query(
        `insert into lifecycle_hook_execution (tenant_id, id, hook_id, hook, event, entry_id, kind, call, pool, environment, state,
                                               attempts, next_attempt_at, created_at, settled_at)
         values ($1, $2, $2, 'tell', $3, $2, 'command', '{}', 'builders', 'staging', $4, 0, now(), now() - interval '40 days',
                 now() - $5 * interval '1 day')`,
        [one, newId(), event, state, days],
      );
    await rounds().get('hook-executions')?.();
    const { rows } = await db.owner.query<{ event: string }>(
      'select event from lifecycle_hook_execution order by event',
    );
    expect(rows.map(({ event }) => event)).toEqual(['run.fresh', 'run.waiting']);
  });

  it('deletes finished deliveries of webhooks after thirty days, and gives up those of a webhook that is off', async () => {
    const [person, endpoint] = [newId(), newId()];
    await db.owner.query(
      'insert into person (tenant_id, id, email, display_name, created_at) values ($1, $2, $3, $3, now())',
      [one, person, `${person}@example.com`],
    );
    await db.owner.query(
      `insert into webhook_endpoint (tenant_id, id, url, description, events, enabled, off_reason, times_off, created_by, created_at)
       values ($1, $2, 'https://hooks.example.com/in', '', '{run.*}', false, 'person', 0, $3, now())`,
      [one, endpoint, person],
    );
    for (const [event, days] of [
      ['run.old', 31] as const,
      ['run.fresh', 29] as const,
      ['run.waiting', null] as const,
    ]) {
      const id = newId();
      await db.owner.query(
        `insert into webhook_delivery (tenant_id, id, endpoint_id, event, body, state, times_off, attempts, tries, next_attempt_at, created_at)
         values ($1, $2, $3, $4, '{}', 'pending', 0, 0, '[]', now(), now() - interval '40 days')`,
        [one, id, endpoint, event],
      );
      if (days !== null)
        await db.owner.query(
          `update webhook_delivery set state = 'failed', settled_at = now() - $2 * interval '1 day' where id = $1`,
          [id, days],
        );
    }
    await rounds().get('webhook-deliveries')?.();
    const { rows } = await db.owner.query<{ event: string }>('select event from webhook_delivery order by event');
    expect(rows.map(({ event }) => event)).toEqual(['run.fresh', 'run.waiting']);
    await db.owner.query('update webhook_endpoint set times_off = 1 where id = $1', [endpoint]);
    await rounds().get('webhooks-off')?.();
    const given = await db.owner.query<{ state: string }>('select distinct state from webhook_delivery');
    expect(given.rows).toEqual([{ state: 'failed' }]);
    await db.owner.query('update webhook_endpoint set removed_at = now() where id = $1', [endpoint]);
    await rounds().get('webhooks-off')?.();
    const rest = await db.owner.query(
      'select (select count(*) from webhook_delivery)::int + (select count(*) from webhook_endpoint)::int as rest',
    );
    expect(rest.rows).toEqual([{ rest: 0 }]);
  });

  it('deletes calls that lacked a fact after thirty days, and none of an open session', async () => {
    for (const table of ['session', 'tool_call_unjudged']) await lay(table);
    const sessions = { open: newId(), ended: newId() };
    for (const [state, id] of Object.entries(sessions))
      await db.owner.query('insert into session (tenant_id, id, state) values ($1, $2, $3)', [one, id, state]);
    for (const [tool, days, session, tenant] of [
      ['old', 31, null, one] as const,
      ['old of an ended session', 31, sessions.ended, two] as const,
      ['old of an open session', 31, sessions.open, one] as const,
      ['fresh', 29, null, one] as const,
    ])
      await db.owner.query(
        `insert into tool_call_unjudged (tenant_id, id, tool_name, session_id, asked_at)
         values ($1, $2, $3, $4, now() - $5 * interval '1 day')`,
        [tenant, newId(), tool, session, days],
      );
    await rounds().get('unjudged-calls')?.();
    const { rows } = await db.owner.query<{ tool: string }>(
      'select tool_name as tool from tool_call_unjudged order by 1',
    );
    expect(rows.map(({ tool }) => tool)).toEqual(['fresh', 'old of an open session']);
  });

  it('deletes the calls of runners a month after their end, with their output, and none that is awaited', async () => {
    for (const table of ['tool_call', 'run_step']) await lay(table);
    const [awaited, running] = [newId(), newId()];
    await db.owner.query("insert into tool_call (tenant_id, id, state) values ($1, $2, 'executing')", [one, awaited]);
    const step = 'insert into run_step (tenant_id, id, run_id, lease_until) values ($1, $2, $3, now())';
    await db.owner.query(step, [one, newId(), running]);
    await dispatched('old', 31);
    await dispatched('fresh', 29);
    await dispatched('under way', null);
    await dispatched('awaited by a single call', 31, awaited);
    await dispatched('awaited by a run', 31, running);
    const removed = (what: string) => db.uow.run(one, (tx) => sqlOf(tx).execute(`delete from ${what}`));
    await expect(removed("runner_dispatch where tool = 'fresh'")).rejects.toMatchObject({ code: 'CS001' });
    await expect(removed("runner_dispatch where tool = 'under way'")).rejects.toMatchObject({ code: 'CS001' });
    await expect(removed('runner_output')).rejects.toMatchObject({ code: '42501' });
    await expect(db.owner.query('delete from runner_output')).rejects.toMatchObject({ code: 'CS001' });
    await rounds().get('runner-calls')?.();
    const left = 'select tool from runner_dispatch join runner_output on dispatch_id = id order by 1';
    const kept = (await db.owner.query<{ tool: string }>(left)).rows.map(({ tool }) => tool);
    expect(kept).toEqual(['awaited by a run', 'awaited by a single call', 'fresh', 'under way']);
    expect((await db.owner.query('select from runner_output')).rowCount).toBe(4);
  });

  /** Lets a table take rows with a few columns. No test comes after this one. */
  const lay = (table: string): Promise<unknown> =>
    db.owner.query(
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

  /** A call of a runner with one line of output. @param days since when it has ended; null if it is under way. */
  async function dispatched(tool: string, days: number | null, source = newId()): Promise<void> {
    const id = newId();
    await db.owner.query(
      `insert into runner_dispatch (tenant_id, id, pool, environment, executor, source_type, source_id, step, attempt, tool,
                                    tool_version, arguments, with_secrets, idempotency_key, grant_token, state, offered_at,
                                    offered_until, answer_by)
       values ($1, $2, 'builders', 'staging', 'workspace', 'run', $3, 's', 1, $4, 1, '{}', false, 'k', 'a grant', 'waiting',
               now() - interval '40 days', now() - interval '39 days', now() - interval '38 days')`,
      [one, id, source, tool],
    );
    await db.owner.query(
      "insert into runner_output (tenant_id, dispatch_id, seq, stream, text, at) values ($1, $2, 1, 'stdout', 'x', now())",
      [one, id],
    );
    if (days === null) return;
    await db.owner.query(
      `update runner_dispatch set state = 'withdrawn', ended_at = now() - $3 * interval '1 day' where tenant_id = $1 and id = $2`,
      [one, id, days],
    );
  }
});
