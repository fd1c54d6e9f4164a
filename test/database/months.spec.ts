import type { Pool } from 'pg';
import { newId, type TenantId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { makeTenant, refusalOf } from './arrange.js';

/** The smallest UUIDv7 of a moment. */
const idAt = (moment: Date): string => {
  const time = moment.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
};

const partitionOf = (table: string, moment: Date): string =>
  `${table}_${moment.toISOString().slice(0, 7).replace('-', '_')}`;

const MONTHLY = ['audit_entry', 'decision'];

describe('tables by month', () => {
  let db: TestDatabase;
  let tenant: TenantId;
  /** When the database was made. Its months begin there, and another month may have begun since. */
  let made: Date;
  const monthsAhead = (months: number): Date =>
    new Date(Date.UTC(made.getUTCFullYear(), made.getUTCMonth() + months, 15));
  beforeAll(async () => {
    db = await testDatabase();
    const { rows } = await db.owner.query<{ made: Date }>('select max(applied_at) as made from schema_migration_file');
    made = rows[0]?.made ?? new Date(NaN);
    tenant = await makeTenant(db.uow, 'acme');
    await db.owner.query(
      `insert into policy_bundle (revision, wasm_digest, entrypoints, sources, wasm)
       values ('sha256:' || repeat('0', 64), 'sha256:' || repeat('0', 64), '{}', '{}', '')`,
    );
  });
  afterAll(() => db.close());

  const record = (id: string, of: TenantId = tenant, by: Pool = db.owner): Promise<unknown> =>
    by.query(
      `insert into audit_entry (tenant_id, id, level, action, actor, subject_type, subject_id, within, evidence, payload_digest)
       values ($1, $2, 'basic', 'thing.done', '{"kind": "system", "id": "x", "display_name": "x", "credential_id": null, "on_behalf_of": null}', 'thing', 'x', '[]', '[]', decode(repeat('00', 32), 'hex'))`,
      [of, id],
    );

  const decide = (id: string): Promise<unknown> =>
    db.owner.query(
      `insert into decision (tenant_id, id, subject_type, subject_id, within, entrypoint, bundle_revision, input,
                             input_digest, result, outcome, decided_at)
       values ($1, $2, 'plan', 'x', '[]', 'plan', 'sha256:' || repeat('0', 64), '{}', 'sha256:' || repeat('0', 64),
               '{"outcome": "deny"}', 'deny', clock_timestamp())`,
      [tenant, id],
    );

  const storedIn = async (id: string, table = 'audit_entry'): Promise<string> => {
    const { rows } = await db.owner.query<{ part: string }>(
      `select tableoid::regclass::text as part from ${table} where id = $1`,
      [id],
    );
    return rows[0]?.part ?? 'nowhere';
  };

  const addMonths = async (by: Pool = db.app): Promise<readonly string[]> => {
    const { rows } = await by.query<{ month: string }>('select month from countersign_add_months()');
    return rows.map(({ month }) => month);
  };

  const partitionsOf = async (table: string): Promise<readonly string[]> => {
    const { rows } = await db.owner.query<{ part: string }>(
      `select inhrelid::regclass::text as part from pg_inherits where inhparent = $1::regclass order by 1`,
      [table],
    );
    return rows.map(({ part }) => part);
  };

  const remove = (table: string, part: string): Promise<unknown> =>
    db.owner.query(`alter table ${table} detach partition ${part}; drop table ${part}`);

  it.each(MONTHLY)('%s has the month in which it was made, the next two, and a default', async (table) => {
    expect(await partitionsOf(table)).toEqual(
      [...[0, 1, 2].map((ahead) => partitionOf(table, monthsAhead(ahead))), `${table}_default`].sort(),
    );
  });

  it('a row is stored in the month of its id', async () => {
    for (const moment of [made, monthsAhead(1), monthsAhead(2)]) {
      await record(idAt(moment));
      expect(await storedIn(idAt(moment))).toBe(partitionOf('audit_entry', moment));
    }
  });

  it.each([
    ['long ago', idAt(new Date('2020-02-29T12:00:00Z'))],
    ['far ahead', idAt(new Date('2100-02-28T12:00:00Z'))],
    ['no time at all', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  ])('an id of %s is stored in the default partition', async (_when, id) => {
    await record(id);
    expect(await storedIn(id)).toBe('audit_entry_default');
  });

  it('the last millisecond of a month and the first of the next are stored apart', async () => {
    const next = monthsAhead(1);
    const first = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth(), 1));
    const last = new Date(first.getTime() - 1);
    await record(idAt(first));
    await record(idAt(last));
    expect(await storedIn(idAt(first))).toBe(partitionOf('audit_entry', next));
    expect(await storedIn(idAt(last))).toBe(partitionOf('audit_entry', made));
  });

  it.each([
    ['audit_entry', record],
    ['decision', decide],
  ] as const)('a month of %s is detached with its rows, and attached again', async (table, insert) => {
    const id = newId();
    await insert(id);
    const part = await storedIn(id, table);
    const { rows } = await db.owner.query<{ bounds: string }>(
      'select pg_get_expr(relpartbound, oid) as bounds from pg_class where oid = $1::regclass',
      [part],
    );
    await db.owner.query(`alter table ${table} detach partition ${part}`);
    expect(await storedIn(id, table)).toBe('nowhere');
    expect((await db.owner.query(`select from ${part} where id = $1`, [id])).rowCount).toBe(1);
    await db.owner.query(`alter table ${table} attach partition ${part} ${rows[0]?.bounds ?? ''}`);
    expect(await storedIn(id, table)).toBe(part);
  });

  it.each(MONTHLY)('no partition of %s is open to the service (42501)', async (table) => {
    for (const part of await partitionsOf(table)) {
      expect([part, await refusalOf(db.app.query(`select from ${part}`))]).toEqual([part, '42501']);
      expect([part, await refusalOf(db.app.query(`insert into ${part} default values`))]).toEqual([part, '42501']);
    }
  });

  it('rows are seen and written through the table by their tenant alone (42501)', async () => {
    const other = await makeTenant(db.uow, 'other');
    const id = newId();
    await record(id);
    const client = await db.app.connect();
    const seenBy = async (reader: TenantId): Promise<number | null> => {
      await client.query("select set_config('app.tenant_id', $1, false)", [reader]);
      return (await client.query('select from audit_entry where id = $1', [id])).rowCount;
    };
    try {
      expect(await seenBy(tenant)).toBe(1);
      expect(await seenBy(other)).toBe(0);
      expect(await refusalOf(record(newId(), tenant, client as unknown as Pool))).toBe('42501');
    } finally {
      await client.query("select set_config('app.tenant_id', '', false)");
      client.release();
    }
  });

  it('a partition refuses the same changes as its table, also by the owner (CS001)', async () => {
    const id = newId();
    await record(id);
    const part = await storedIn(id);
    expect(await refusalOf(db.owner.query(`update ${part} set level = level`))).toBe('CS001');
    expect(await refusalOf(db.owner.query(`delete from ${part}`))).toBe('CS001');
    expect(await refusalOf(db.owner.query(`truncate ${part}`))).toBe('CS001');
    expect(await refusalOf(db.owner.query('truncate audit_entry'))).toBe('CS001');
  });

  it('a month that is missing is added by the service, with the guards of the others', async () => {
    const part = partitionOf('audit_entry', monthsAhead(2));
    await remove('audit_entry', part);
    expect(await addMonths()).toEqual([]);
    expect(await partitionsOf('audit_entry')).toContain(part);
    const { rows } = await db.owner.query<Record<string, unknown>>(
      `select pg_get_userbyid(relowner) as owner, relrowsecurity and relforcerowsecurity as forced, relacl as rights,
              (select count(*)::int from pg_trigger where tgrelid = pg_class.oid) as triggers
         from pg_class where oid = $1::regclass`,
      [part],
    );
    expect(rows).toEqual([{ owner: 'countersign_owner', forced: true, rights: null, triggers: 4 }]);
  });

  it('a month of which the default partition has rows is named, and refuses none', async () => {
    const ahead = monthsAhead(2);
    const part = partitionOf('decision', ahead);
    await remove('decision', part);
    await decide(idAt(ahead));
    expect(await addMonths()).toEqual([part]);
    await decide(newId());
    expect((await db.owner.query('select from decision_default')).rowCount).toBe(1);
  });

  it('the service alone adds months, and chooses none (42501)', async () => {
    expect(await refusalOf(db.app.query("select countersign_add_partition('decision', 'x', 'default')"))).toBe('42501');
    const { rows } = await db.owner.query<{ callers: string }>(
      `select string_agg(grantee::regrole::text, ' ' order by grantee::regrole::text) as callers
         from pg_proc, aclexplode(proacl) where proname = 'countersign_add_months'`,
    );
    expect(rows).toEqual([{ callers: 'countersign_app countersign_owner' }]);
  });

  it('a lookup by key reads one partition', async () => {
    const id = newId();
    await record(id);
    const { rows } = await db.owner.query<Record<'QUERY PLAN', string>>(
      'explain select from audit_entry where tenant_id = $1 and id = $2'
        .replace('$1', `'${tenant}'`)
        .replace('$2', `'${id}'`),
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain(await storedIn(id));
    expect(plan).not.toContain('audit_entry_default');
  });

  it('a foreign key to a decision holds across months, and holds its month (23503)', async () => {
    await db.owner.query(
      'alter table step_attempt drop constraint step_attempt_run_fk, drop constraint step_attempt_step_fk',
    );
    const attempt = (decision: string): Promise<unknown> =>
      db.owner.query(
        `insert into step_attempt (tenant_id, id, run_id, run_step_id, purpose, number, fence, decision_id, executor_name,
                                   executor_version, arguments_digest, targets, dispatched_at, lease_until)
         values ($1, $2, $2, $2, 'call', 1, 1, $3, 'e', 1, 'd', '[]', now(), now())`,
        [tenant, newId(), decision],
      );
    const { rows } = await db.owner.query<{ id: string }>('select id from decision_default limit 1');
    await attempt(rows[0]?.id ?? '');
    expect(await refusalOf(attempt(newId()))).toBe('23503');

    const decision = newId();
    await decide(decision);
    await attempt(decision);
    const detached = db.owner.query(`alter table decision detach partition ${await storedIn(decision, 'decision')}`);
    expect(await refusalOf(detached)).toBe('23503');
  });

  it('the indexes of the partitions give a page of the log in its order', async () => {
    const client = await db.owner.connect();
    try {
      // The few rows of a test are sooner sorted than merged.
      await client.query('begin; set local enable_sort = off; set local enable_seqscan = off');
      const { rows } = await client.query<Record<'QUERY PLAN', string>>(
        `explain select from audit_entry where tenant_id = '${tenant}' order by occurred_at desc, id desc limit 50`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Merge Append');
      expect(plan).not.toMatch(/Sort Key: .*\n\s+->\s+Sort|Seq Scan/);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
