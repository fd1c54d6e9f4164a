import { newId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { refusalOf } from './arrange.js';

describe('append-only tables', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
    await db.owner.query(`
      create table note (tenant_id uuid not null, id uuid not null, constraint note_pk primary key (tenant_id, id));
      select countersign_protect('note');
      select countersign_append_only('note')`);
  });
  afterAll(async () => {
    await db.close();
  });

  it('take rows, and refuse every change and deletion, also by the owner (CS001)', async () => {
    const tenant = newId();
    await db.owner.query('insert into note values ($1, $2)', [tenant, newId()]);
    expect(await refusalOf(db.owner.query('update note set id = id'))).toBe('CS001');
    expect(await refusalOf(db.owner.query('delete from note'))).toBe('CS001');
    expect(await refusalOf(db.owner.query('truncate note'))).toBe('CS001');
    expect((await db.owner.query('select from note')).rowCount).toBe(1);
  });

  it('give the service no right to try (42501)', async () => {
    expect(await refusalOf(db.app.query('update note set id = id'))).toBe('42501');
    expect(await refusalOf(db.app.query('delete from note'))).toBe('42501');
    expect(await refusalOf(db.app.query('truncate note'))).toBe('42501');
  });

  it('refuse the same in the real schema', async () => {
    const { rows } = await db.owner.query<{ name: string; some_column: string }>(
      `select distinct on (1) t.tgrelid::regclass::text as name, a.attname as some_column
        from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = 1
        where t.tgfoid = 'countersign_refuse_change'::regproc and t.tgrelid <> 'note'::regclass order by 1`,
    );
    expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(['audit_entry', 'decision']));
    for (const { name, some_column } of rows) {
      expect([name, await refusalOf(db.app.query(`update ${name} set ${some_column} = ${some_column}`))]).toEqual([
        name,
        '42501',
      ]);
      expect([name, await refusalOf(db.app.query(`delete from ${name}`))]).toEqual([name, '42501']);
      expect([name, await refusalOf(db.owner.query(`truncate ${name} cascade`))]).toEqual([name, 'CS001']);
    }
  });
});
