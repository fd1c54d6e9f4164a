import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { testServer } from '../../../../../test/support/database.js';
import { migrateMap } from './sql-cell-map-schema.js';

describe('the tables of the map', () => {
  const name = `map_${randomBytes(6).toString('hex')}`;
  let server: Pool;
  let pool: Pool;
  let folder: string;

  beforeEach(async () => {
    const { adminUrl } = await testServer();
    server = new Pool({ connectionString: adminUrl, max: 1 });
    await server.query(`create database ${name}`);
    pool = new Pool({ connectionString: Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href, max: 2 });
    folder = mkdtempSync(join(tmpdir(), 'countersign-map-'));
    write('0001_first.sql', 'create table place (n int)');
  });
  afterEach(async () => {
    await pool.end();
    await server.query(`drop database ${name}`);
    await server.end();
    rmSync(folder, { recursive: true });
  });

  const write = (file: string, sql: string): void => {
    writeFileSync(join(folder, file), sql);
  };
  const migrate = (): Promise<void> => migrateMap(pool, folder);

  it('gain a column by a further migration, and keep their rows', async () => {
    await migrate();
    await pool.query('insert into place values (1)');
    write('0002_second.sql', 'alter table place add column m int default 2');
    await migrate();
    await migrate();
    expect((await pool.query('select n, m from place')).rows).toEqual([{ n: 1, m: 2 }]);
  });

  it('are made once by two routers that start at once', async () => {
    await Promise.all([migrate(), migrate()]);
    expect((await pool.query('select name from cell_map_migration')).rows).toEqual([{ name: '0001_first' }]);
  });

  it('stay as a newer router has them', async () => {
    write('0002_second.sql', 'alter table place add column m int default 2');
    await migrate();
    rmSync(join(folder, '0002_second.sql'));
    await migrate();
    await pool.query('insert into place values (1)');
    expect((await pool.query('select m from place')).rows).toEqual([{ m: 2 }]);
  });

  it('are refused if an applied migration was edited, and nothing after it is applied', async () => {
    await migrate();
    write('0001_first.sql', 'create table place (n bigint)');
    write('0002_second.sql', 'drop table place');
    await expect(migrate()).rejects.toMatchObject({ failure: { code: 'database.migration_changed' } });
    expect((await pool.query('select n from place')).rows).toEqual([]);
  });

  it('are refused if an earlier version made them without a migration, and stay as they are', async () => {
    await pool.query("create table cell (name text); insert into cell values ('eu1')");
    await expect(migrate()).rejects.toMatchObject({
      failure: { code: 'database.migration_changed', action: expect.stringContaining('an empty database') as string },
    });
    expect((await pool.query('select * from cell')).rows).toEqual([{ name: 'eu1' }]);
    const made = "select to_regclass('place') as place, to_regclass('cell_map_migration') as migration";
    expect((await pool.query(made)).rows).toEqual([{ place: null, migration: null }]);
  });

  it('are as before if a migration fails', async () => {
    write('0002_second.sql', 'create tabel c (n int)');
    await expect(migrate()).rejects.toMatchObject({ code: '42601' });
    expect((await pool.query("select to_regclass('place') as place")).rows).toEqual([{ place: null }]);
  });
});
