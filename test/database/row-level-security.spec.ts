import { sqlOf } from '#lib/database';
import { newId, type TenantId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { makeTenant, refusalOf } from './arrange.js';

const insertEnvironment = `insert into environment (tenant_id, id, name, production, version, created_at, updated_at)
  values ($1, $2, $3, false, 1, clock_timestamp(), clock_timestamp())`;

describe('row-level security', () => {
  let db: TestDatabase;
  let ours: TenantId;
  let theirs: TenantId;

  beforeAll(async () => {
    db = await testDatabase();
    ours = await makeTenant(db.uow, 'ours');
    theirs = await makeTenant(db.uow, 'theirs');
    for (const tenant of [ours, theirs]) {
      await db.uow.run(tenant, (tx) => sqlOf(tx).execute(insertEnvironment, [tenant, newId(), 'shared-name']));
    }
  });
  afterAll(async () => {
    await db.close();
  });

  it('shows a tenant its own rows, and no other', async () => {
    const seen = await db.uow.run(ours, (tx) =>
      sqlOf(tx).query<{ tenant_id: string }>('select tenant_id from environment'),
    );
    expect(seen).toEqual([{ tenant_id: ours }]);
    const tenants = await db.uow.run(ours, (tx) => sqlOf(tx).query<{ id: string }>('select id from tenant'));
    expect(tenants).toEqual([{ id: ours }]);
  });

  it('refuses a row for another tenant (42501)', async () => {
    const insert = db.uow.run(ours, (tx) => sqlOf(tx).execute(insertEnvironment, [theirs, newId(), 'intruder']));
    expect(await refusalOf(insert)).toBe('42501');
  });

  it('refuses to hand a row to another tenant (42501)', async () => {
    const move = db.uow.run(ours, (tx) => sqlOf(tx).execute('update environment set tenant_id = $1', [theirs]));
    expect(await refusalOf(move)).toBe('42501');
  });

  it.each([
    ['update', 'update environment set production = true where tenant_id = $1'],
    ['delete', 'delete from environment where tenant_id = $1'],
    ['lock', 'select from environment where tenant_id = $1 for update'],
  ])('finds nothing to %s of another tenant', async (_what, text) => {
    expect(await db.uow.run(ours, (tx) => sqlOf(tx).execute(text, [theirs]))).toBe(0);
  });

  it('cannot reach another tenant through a foreign key', async () => {
    const { rows } = await db.owner.query<{ id: string }>(
      `insert into person (tenant_id, id, email, display_name, created_at)
       values ($1, $2, 'p@theirs.example', 'P', clock_timestamp()) returning id`,
      [theirs, newId()],
    );
    const refer = db.uow.run(ours, (tx) =>
      sqlOf(tx).execute(
        `insert into agent (tenant_id, id, name, description, owner_person_id, created_at)
         values ($1, $2, 'a', '', $3, clock_timestamp())`,
        [ours, newId(), rows[0]?.id],
      ),
    );
    expect(await refusalOf(refer)).toBe('23503');
  });

  it('shows nothing of any tenant table to a connection that named no tenant', async () => {
    const { rows: tables } = await db.owner.query<{ name: string }>(
      "select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relrowsecurity and not c.relispartition order by 1",
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const { rows } = await db.app.query<{ n: number }>(`select count(*)::int as n from ${name}`);
      expect([name, rows[0]?.n]).toEqual([name, 0]);
    }
  });

  it('treats an empty tenant as none, and refuses a malformed one (22P02)', async () => {
    const client = await db.app.connect();
    try {
      await client.query("select set_config('app.tenant_id', '', false)");
      expect((await client.query('select from environment')).rowCount).toBe(0);
      await client.query("select set_config('app.tenant_id', 'x', false)");
      expect(await refusalOf(client.query('select from environment'))).toBe('22P02');
    } finally {
      client.release(true);
    }
  });

  it('lets the service neither switch row-level security off nor change the schema', async () => {
    expect(await refusalOf(db.app.query('alter table environment disable row level security'))).toBe('42501');
    expect(await refusalOf(db.app.query('drop policy environment_tenant on environment'))).toBe('42501');
    expect(await refusalOf(db.app.query('create table mine (n int)'))).toBe('42501');
    expect(await refusalOf(db.app.query('set role countersign_owner'))).toBe('42501');
    expect(await refusalOf(db.app.query('set role countersign_system'))).toBe('42501');
    expect(await refusalOf(db.app.query("select countersign_protect('environment')"))).toBe('42501');
    // SET row_security = off does not switch it off, it makes a query fail that it would have filtered.
    const client = await db.app.connect();
    try {
      await client.query('set row_security = off');
      expect(await refusalOf(client.query('select from environment'))).toBe('42501');
    } finally {
      client.release(true);
    }
  });
});
