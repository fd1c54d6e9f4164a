import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { ENCRYPTED_VALUES, WAITING_VALUES } from '../domain/encrypted-values.js';
import { MOVE_TRANSITIONS } from '../domain/move-state.js';

describe('a move and the schema', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(async () => {
    await db.close();
  });

  it('knows every encrypted column of a tenant: a nonce, or a comment that says so', async () => {
    const { rows } = await db.owner.query<{ name: string }>(
      `select c.table_name || '.' || c.column_name as name
         from information_schema.columns c
         join information_schema.columns tenant
           on tenant.table_schema = c.table_schema and tenant.table_name = c.table_name and tenant.column_name = 'tenant_id'
         join pg_class k on k.oid = format('public.%I', c.table_name)::regclass and not k.relispartition
        where c.table_schema = 'public'
          and (c.data_type = 'bytea' and c.column_name ~ 'nonce$' and c.table_name <> 'step_up'
               or col_description(k.oid, c.ordinal_position) ~ 'encrypted under the keyring')
        order by 1`,
    );
    const known = ENCRYPTED_VALUES.map(
      ({ table, columns }) => `${table}.${'text' in columns ? columns.text : columns.nonce}`,
    );
    const waiting = WAITING_VALUES.map((table) => `${table}.nonce`);
    expect(rows.map(({ name }) => name)).toEqual([...known, ...waiting].sort());
  });

  it('names columns that are there, and keys that are primary', async () => {
    for (const { table, key, columns, named = [] } of ENCRYPTED_VALUES) {
      const { rows } = await db.owner.query<{ names: string[]; key: string[] }>(
        `select (select array_agg(attname::text) from pg_attribute where attrelid = $1::regclass and attnum > 0) as names,
                (select array_agg(attname::text) from pg_index x join pg_attribute a on a.attrelid = x.indrelid and a.attnum = any (x.indkey)
                  where x.indrelid = $1::regclass and x.indisprimary and a.attname <> 'tenant_id') as key`,
        [table],
      );
      expect([table, rows[0]?.names]).toEqual([
        table,
        expect.arrayContaining([...key, ...named, ...Object.values(columns)]),
      ]);
      expect([table, rows[0]?.key ?? []]).toEqual([table, key]);
    }
  });

  it('has the transitions of the database', async () => {
    const { rows } = await db.owner.query<{ row: string[] }>(
      'select array[from_state, event, to_state] as row from tenant_move_transition',
    );
    const sorted = (all: readonly (readonly string[])[]): string[] => all.map((row) => row.join(' ')).sort();
    expect(sorted(rows.map(({ row }) => row))).toEqual(sorted(MOVE_TRANSITIONS));
  });
});
