import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { testServer } from '../../../../../test/support/database.js';
import { assertMigrated } from './assert-migrated.js';
import { assertSupportedVersion, migrateDatabase } from './migrate-database.js';
import { openDataSource } from './open-data-source.js';

describe('migrations', () => {
  let folder: string;
  let url: string;
  let admin: Client;
  const name = `m_${randomBytes(6).toString('hex')}`;

  const asAdmin = async (work: (client: Client) => Promise<unknown>): Promise<void> => {
    const client = new Client({ connectionString: (await testServer()).adminUrl });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-migrations-'));
    await asAdmin((client) => client.query(`create database ${name}`));
    const address = new URL((await testServer()).adminUrl);
    address.pathname = `/${name}`;
    url = address.href;
    admin = new Client({ connectionString: url });
    await admin.connect();
  });
  afterEach(async () => {
    await admin.end();
    await asAdmin((client) => client.query(`drop database ${name} with (force)`));
    rmSync(folder, { recursive: true });
  });

  const write = (file: string, sql: string): void => {
    writeFileSync(join(folder, file), sql);
  };
  const migrate = (): Promise<readonly string[]> => migrateDatabase({ adminUrl: url, folder });
  const tables = async (): Promise<string[]> => {
    const { rows } = await admin.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'schema\\_%' order by 1",
    );
    return rows.map((row) => row.name);
  };

  it('leave the service without temporary tables, which would stand before the tables of its triggers (42501)', async () => {
    await migrate();
    await admin.query('set role countersign_app');
    await expect(admin.query('create temporary table run_transition ()')).rejects.toMatchObject({ code: '42501' });
  });

  it('apply in the order of their numbers, as countersign_owner, and once', async () => {
    write('0002_second.sql', 'create table b (a_n int references a (n))');
    write('0001_first.sql', 'create table a (n int primary key)');
    expect(await migrate()).toEqual(['0001_first_0000000000001', '0002_second_0000000000002']);
    expect(await migrate()).toEqual([]);
    const { rows } = await admin.query("select tableowner from pg_tables where tablename = 'a'");
    expect(rows).toEqual([{ tableowner: 'countersign_owner' }]);
    write('0003_third.sql', 'create table c ()');
    expect(await migrate()).toEqual(['0003_third_0000000000003']);
  });

  it('leave nothing of one that fails, keep those before it, and say file and line', async () => {
    write('0001_first.sql', 'create table a (n int)');
    write('0002_broken.sql', 'create table b (n int);\n\ncreate tabel c (n int)');
    await expect(migrate()).rejects.toMatchObject({
      failure: {
        code: 'database.migration_failed',
        message: 'migrations/0002_broken.sql:3: syntax error at or near "tabel"',
        action: expect.stringContaining('migrate" again') as string,
      },
    });
    expect(await tables()).toEqual(['a']);
    // The service says what is missing, and is not refused itself.
    await admin.query('set role countersign_app');
    expect((await admin.query('select name from schema_migration_file')).rows).toEqual([{ name: '0001_first' }]);
    await admin.query('reset role');
    write('0002_broken.sql', 'create table b (n int)');
    expect(await migrate()).toEqual(['0002_broken_0000000000002']);
  });

  it('refuse a file that was edited after it was applied', async () => {
    write('0001_first.sql', 'create table a (n int)');
    await migrate();
    write('0001_first.sql', 'create table a (n bigint)');
    write('0002_second.sql', 'create table b ()');
    await expect(migrate()).rejects.toMatchObject({ failure: { code: 'database.migration_changed' } });
    expect(await tables()).toEqual(['a']);
  });

  it('refuse a database that a newer version migrated', async () => {
    write('0001_first.sql', 'create table a (n int)');
    write('0002_second.sql', 'create table b ()');
    await migrate();
    rmSync(join(folder, '0002_second.sql'));
    await expect(migrate()).rejects.toMatchObject({ failure: { code: 'database.schema_newer' } });
  });

  it('refuse a backup that was restored before its roles were there, and so belongs to another login', async () => {
    write('0001_first.sql', 'create table a (n int)');
    await migrate();
    await admin.query('alter table schema_migration_file owner to postgres');
    await expect(migrate()).rejects.toMatchObject({
      failure: {
        code: 'database.other_owner',
        message: expect.stringContaining('belong to postgres, not to countersign_owner') as string,
      },
    });
  });

  it('wait for each other when two processes migrate at once', async () => {
    write('0001_first.sql', 'create table a (n int); select pg_sleep(0.1)');
    const [one, two] = await Promise.all([migrate(), migrate()]);
    expect([...one, ...two]).toEqual(['0001_first_0000000000001']);
  });

  it.each([
    ['another name', '1_first.sql'],
    ['capitals', '0001_First.sql'],
    ['number 0', '0000_first.sql'],
  ])('refuse a file with %s', async (_what, file) => {
    write(file, 'select 1');
    await expect(migrate()).rejects.toThrow('is not named like');
  });

  it('refuse one number for two files', async () => {
    write('0001_first.sql', 'select 1');
    write('0001_second.sql', 'select 1');
    await expect(migrate()).rejects.toThrow('Two migrations have the number 1');
  });

  it('stop a service if its database is behind', async () => {
    write('0001_first.sql', 'create table a (n int)');
    await migrate();
    const dataSource = await openDataSource({ url, poolSize: 1, applicationName: 'behind', entities: [] });
    try {
      await expect(assertMigrated(dataSource)).rejects.toMatchObject({ failure: { code: 'database.schema_behind' } });
    } finally {
      await dataSource.destroy();
    }
  });

  it('need no superuser, also when repeated: a login with CREATEROLE that owns the database is enough', async () => {
    const role = `migrator_${randomBytes(4).toString('hex')}`;
    // On a server where an administrator made the roles, the migrating login has to administer them.
    await admin.query(`create role ${role} login createrole password 'pw'`);
    await admin.query(
      `grant countersign_owner, countersign_app, countersign_system to ${role} with admin option, inherit true, set true`,
    );
    await admin.query(`alter database ${name} owner to ${role}`);
    try {
      write('0001_first.sql', 'create table a (n int)');
      const login = new URL(url);
      login.username = role;
      login.password = 'pw';
      expect(await migrateDatabase({ adminUrl: login.href, folder })).toEqual(['0001_first_0000000000001']);
      expect(await migrateDatabase({ adminUrl: login.href, folder })).toEqual([]);
      const { rows } = await admin.query("select tableowner from pg_tables where tablename = 'a'");
      expect(rows).toEqual([{ tableowner: 'countersign_owner' }]);
    } finally {
      await admin.query(`alter database ${name} owner to postgres`);
      await admin.query(`reassign owned by ${role} to postgres; drop owned by ${role} cascade; drop role ${role}`);
    }
  });

  it('are refused by a server that is too old for them, before anything is changed', () => {
    expect(() => {
      assertSupportedVersion(150_008);
    }).toThrow('database.version: The database is PostgreSQL 15, and 16 or newer is needed.');
    expect(() => {
      assertSupportedVersion(160_000);
    }).not.toThrow();
  });
});
