import { Client } from 'pg';
import { newId } from '#lib/kernel';
import { testApi } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';

const A_TENANT = `insert into tenant (id, slug, name, created_at) values ('${newId()}', 'acme', 'Acme', now())`;
const AN_ENTRY = `
  insert into audit_entry (tenant_id, id, level, action, actor, subject_type, subject_id, within, evidence,
                           payload_digest, salt, payload)
  values ('${newId()}', '${newId()}', 'basic', 'thing.done',
          '{"kind": "system", "id": "x", "display_name": "x", "credential_id": null, "on_behalf_of": null}',
          'thing', 'x', '[]', '[]', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), '{}')`;

const used = async (change: string): Promise<TestDatabase> => {
  const db = await testDatabase();
  await db.owner.query(change);
  return db;
};

const nextAfter = async (db: TestDatabase): Promise<string> => {
  await db.close();
  const next = await testDatabase();
  await next.close();
  return next.url;
};

describe('a database that a test has done with', () => {
  it('is empty for the next test, with the same connections of the service', async () => {
    const db = await testDatabase();
    const { uow } = db;
    await db.owner.query(A_TENANT);
    await db.owner.query(`select nextval(pg_get_serial_sequence('audit_entry', 'entry_number'))`);
    await db.close();

    const next = await testDatabase();
    expect([next.url, next.uow]).toEqual([db.url, uow]);
    const tenants = await next.owner.query('select from tenant');
    const numbers = await next.owner.query('select from pg_sequences where last_value is not null');
    expect([tenants.rowCount, numbers.rowCount]).toEqual([0, 0]);
    await next.close();
  });

  it('is used again although rows were kept from deletion by a trigger', async () => {
    const db = await used(AN_ENTRY);
    await expect(db.owner.query('delete from audit_entry')).rejects.toMatchObject({ code: 'CS001' });
    await db.close();

    const next = await testDatabase();
    const { rowCount } = await next.owner.query('select from audit_entry');
    await next.close();
    expect([next.url, rowCount]).toEqual([db.url, 0]);
  });

  it('is used again after an api with a replica, which has connections of its own', async () => {
    const api = await testApi({ readUrl: 'postgres://a:b@127.0.0.1:9/d' });
    const { replica } = api.database.metrics();
    await api.close();

    const next = await testDatabase();
    await next.close();
    expect([replica, next.url]).toEqual(['away', api.db.url]);
  });

  it.each([
    ['a table', 'create table left_behind (id integer)'],
    ['a column', 'alter table tenant add column left_behind integer'],
    ['a trigger switched off', 'alter table audit_entry disable trigger user'],
    ['what is published', 'create publication left_behind'],
    ['statistics', `${A_TENANT}; analyze tenant`],
    ['a right', 'grant select on tenant to public'],
    ['a function', `create function left_behind() returns integer language sql as 'select 1'`],
    ['a row that a migration wrote', `update schema_migration_file set checksum = ''`],
    ['the name of a table that migrations fill', 'alter table schema_migration_file rename to left_behind'],
  ])('is dropped after a change of %s', async (_what, change) => {
    const db = await used(change);
    await expect(nextAfter(db)).resolves.not.toBe(db.url);
    await expect(new Client({ connectionString: db.url }).connect()).rejects.toMatchObject({ code: '3D000' });
  });

  it.each(['', 'countersign-test-api'])(
    'is dropped while one that the test forgot is connected as %j',
    async (name) => {
      const db = await testDatabase();
      const forgotten = new Client({ connectionString: db.url, application_name: name });
      forgotten.on('error', () => undefined);
      await forgotten.connect();
      await expect(nextAfter(db)).resolves.not.toBe(db.url);
    },
  );
});
