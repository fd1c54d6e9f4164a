import { newId, type TenantId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { TenantRows } from '../../../../../test/support/tenant-rows.js';
import { asReplica } from './sql-as-replica.js';
import { SqlCell } from './sql-cell.js';
import { SqlSourceCell } from './sql-source-cell.js';

const SEEN_AT = { host: 'localhost', port: 5432, sslMode: null };

describe('the database of an installation that a tenant leaves', () => {
  let db: TestDatabase;
  let cell: SqlSourceCell;
  let tenant: TenantId;

  beforeAll(async () => {
    db = await testDatabase();
    cell = new SqlSourceCell(await SqlCell.connect(db.adminUrl), SEEN_AT);
  });
  afterAll(async () => {
    await cell.close();
    await db.close();
  });
  beforeEach(async () => {
    tenant = newId();
    await new TenantRows(db.uow, tenant).tenant();
  });

  /** The first id of a month. */
  const idIn = async (month: string): Promise<string> => {
    const { rows } = await db.owner.query<{ id: string }>(
      "select countersign_first_id(($1 || '-15')::timestamp at time zone 'UTC') as id",
      [month],
    );
    return rows[0]?.id ?? '';
  };
  const leafIn = async (month: string): Promise<unknown> =>
    db.owner.query('insert into audit_leaf values ($1, 1, 0, $2, $3)', [tenant, await idIn(month), Buffer.alloc(32)]);

  it('is worked on by one command for each slug', async () => {
    const other = new SqlSourceCell(await SqlCell.connect(db.adminUrl), SEEN_AT);
    expect([await cell.lock('acme'), await other.lock('acme'), await other.lock('globex')]).toEqual([
      true,
      false,
      true,
    ]);
    await other.close();
    expect(await cell.lock('globex')).toBe(true);
  });

  it('is the host that writes, of a list', async () => {
    const url = new URL(db.adminUrl);
    const list = db.adminUrl.replace(`@${url.host}`, `@127.0.0.1:1,${url.host}`);
    const client = await SqlCell.connect(list);
    expect(client.port).toBe(Number(url.port));
    await client.end();
  });

  it('tells a command that comes after the hold of the tenant has ended from another command (T58)', async () => {
    const id = newId();
    const move = { tenantId: tenant, id, slug: 'acme', state: 'copying', closedEpoch: null } as const;
    await cell.insertMove({ tenantId: tenant, id, slug: 'acme' }, 'copying');
    const caughtUp = await cell.advance(move, 'catch_up');
    const draining = await cell.advance(caughtUp, 'drain', { heldMs: 0 });
    // The next question of any process lets it go.
    await db.owner.query('select from tenant_move_held()');
    await expect(cell.advance(draining, 'freeze')).rejects.toMatchObject({
      failure: { code: 'tenant_move.held_too_long' },
    });
    await expect(cell.advance(caughtUp, 'drain')).rejects.toMatchObject({
      failure: { code: 'tenant_move.other_command' },
    });
    const drainingAgain = await cell.advance(await cell.advance(move, 'catch_up'), 'drain', { heldMs: 60_000 });
    const frozen = await cell.advance(drainingAgain, 'freeze', { heldMs: 0 });
    await db.owner.query('select from tenant_move_held()');
    await expect(cell.advance(frozen, 'compare')).rejects.toMatchObject({
      failure: { code: 'tenant_move.held_too_long' },
    });
  });

  it('tells the months of the tenant that are detached or gone, and none of others', async () => {
    expect(await cell.months(tenant)).toEqual({ all: [], away: [] });
    await leafIn('2025-03');
    await db.owner.query('create table decision_2025_04 (like decision)');
    await db.owner.query('create table audit_entry_2025_05 (like audit_entry)');
    try {
      expect(await cell.detachedMonths()).toEqual(['audit_entry 2025-05', 'decision 2025-04']);
      expect(await cell.months(tenant)).toEqual({ all: ['audit_entry 2025-03'], away: ['audit_entry 2025-03'] });
      // No part of a copy, and no difference between two sides.
      expect([...(await cell.digests(tenant, Buffer.alloc(1))).keys()].filter((name) => /\d/.test(name))).toEqual([]);

      await keepOne('decision_2025_04');
      expect((await cell.months(tenant)).away).toEqual(['audit_entry 2025-03', 'decision 2025-04']);
      expect(await cell.purge(tenant)).toBeGreaterThan(2);
      expect(await cell.months(tenant)).toEqual({ all: [], away: [] });
      expect((await db.owner.query('select from tenant where id = $1', [tenant])).rowCount).toBe(0);
    } finally {
      await db.owner.query('drop table decision_2025_04, audit_entry_2025_05');
    }
  });

  it('is digested ahead, and the digests are those of its rows as they are in the end', async () => {
    const entry = (id: string): Promise<unknown> =>
      db.owner.query('insert into audit_leaf values ($1, 1, $2, $3, $4)', [tenant, id, newId(), Buffer.alloc(32)]);
    const salt = Buffer.alloc(32, 7);
    for (const id of ['1', '2', '3']) await entry(id);
    const ahead = new SqlCell(await SqlCell.connect(db.adminUrl), 1);
    await ahead.digestAhead(tenant, salt);
    const before = await ahead.digests(tenant, salt);
    const client = await SqlCell.connect(db.adminUrl);
    const fresh = new SqlCell(client);
    expect(await fresh.digests(tenant, salt)).toEqual(before);

    await entry('4');
    await db.owner.query("update tenant set name = 'Another' where id = $1", [tenant]);
    // As nobody of the service may: the log only grows.
    await asReplica(client, () =>
      client.query('delete from audit_leaf where tenant_id = $1 and leaf_index = 2', [tenant]),
    );
    const after = await ahead.digests(tenant, salt);
    expect(after).toEqual(await fresh.digests(tenant, salt));
    const changed = [...after.keys()].filter((table) => after.get(table)?.digest !== before.get(table)?.digest);
    expect(changed).toEqual(['audit_leaf', 'tenant']);
    expect(after.get('audit_leaf')?.rows).toBe('3');
    // Under another key they are of no use.
    const other = Buffer.alloc(32, 8);
    expect(await ahead.digests(tenant, other)).toEqual(await fresh.digests(tenant, other));
    await Promise.all([ahead.close(), fresh.close()]);
  });

  it('removes rows of the one tenant alone', async () => {
    const other: TenantId = newId();
    await new TenantRows(db.uow, other).tenant();
    const rowsOf = async (): Promise<number | null> =>
      (await db.owner.query('select from tenant where id = $1', [other])).rowCount;
    const before = await rowsOf();
    await cell.purge(tenant);
    expect([before, await rowsOf()]).toEqual([1, 1]);
  });

  /** A row of the tenant with nulls beside. */
  const keepOne = async (table: string): Promise<void> => {
    const { rows } = await db.owner.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attnotnull and not attisdropped`,
      [table],
    );
    for (const { name } of rows) await db.owner.query(`alter table ${table} alter column ${name} drop not null`);
    await db.owner.query(`insert into ${table} (tenant_id) values ($1)`, [tenant]);
  };
});
