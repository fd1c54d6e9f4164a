import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntitySchema } from 'typeorm';
import { entity, nullable, openDataSource, packageRoot, text, uuid } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import { testDatabase, type TestDatabase } from '../support/database.js';

/** One column, in the words of the catalog. */
interface CatalogColumn {
  readonly type: string;
  readonly nullable: boolean;
  readonly key: boolean;
  /** An insert that leaves it out is refused. */
  readonly required: boolean;
}

async function catalogOf(db: TestDatabase, table: string): Promise<ReadonlyMap<string, CatalogColumn>> {
  const { rows } = await db.owner.query<CatalogColumn & { readonly name: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as nullable,
            coalesce(attnum = any (conkey), false) as key, attnotnull and not atthasdef and attidentity = '' as required
       from pg_attribute
       left join pg_constraint on conrelid = attrelid and contype = 'p'
      where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`,
    [table],
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** The differences between entities and tables, in words. */
async function differences(db: TestDatabase, entities: readonly EntitySchema[]): Promise<readonly string[]> {
  const dataSource = await openDataSource({ url: db.url, poolSize: 1, applicationName: 'entities', entities });
  try {
    const found: string[] = [];
    for (const { tableName, columns } of dataSource.entityMetadatas) {
      const catalog = await catalogOf(db, tableName);
      const typeOf = (column: (typeof columns)[number]): string =>
        TYPE_NAMES[dataSource.driver.normalizeType(column)] ?? dataSource.driver.normalizeType(column);
      for (const column of columns) {
        const name = `${tableName}.${column.databaseName}`;
        const stored = catalog.get(column.databaseName);
        const type = typeOf(column) + (column.isArray ? '[]' : '');
        if (stored === undefined) found.push(`${name}: no such column`);
        else if (stored.type !== type) found.push(`${name}: is ${stored.type}, not ${type}`);
        else if (stored.nullable !== column.isNullable) found.push(`${name}: is nullable in one place alone`);
        else if (stored.key !== column.isPrimary) found.push(`${name}: is in one primary key alone`);
      }
      const mapped = new Set(columns.map((column) => column.databaseName));
      for (const [name, { required }] of catalog)
        if (required && !mapped.has(name)) found.push(`${tableName}.${name}: an insert lacks it`);
    }
    return found;
  } finally {
    await dataSource.destroy();
  }
}

/** The tables that ADR 1 leaves without an entity, beside those of states and transitions. */
const WITHOUT_ENTITY = [
  ...['bootstrap_token', 'idempotency_record', 'sign_in_transaction', 'slack_link_code'],
  ...['agent_report_pace', 'approval_throttle', 'request_budget', 'session_refusal', 'slack_pace', 'tool_call_refusal'],
  ...['agent_owner', 'plan_target', 'production_change', 'search_word'],
  ...['precedent_erasure', 'precedent_gram', 'precedent_term', 'precedent_trait'],
  ...['audit_cursor', 'audit_pending'],
  ...['accepted_host', 'schema_migration', 'schema_migration_file', 'tenant_move'],
];

const TYPE_NAMES: Readonly<Record<string, string>> = { timestamptz: 'timestamp with time zone' };

describe('the entities', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(async () => {
    await db.close();
  });

  it('are equal to the catalog', async () => {
    expect(await differences(db, ENTITIES)).toEqual([]);
  });

  it('map every table but those of the list', async () => {
    const { rows } = await db.owner.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname !~ '_(state|transition)$'`,
    );
    const mapped = new Set(ENTITIES.map(({ options: { tableName, name } }) => tableName ?? name));
    const unmapped = rows.map(({ name }) => name).filter((name) => !mapped.has(name));
    expect(unmapped.sort()).toEqual(WITHOUT_ENTITY.toSorted());
  });

  it.each([
    ['a column that is gone', { name: text(), gone: text() }, ['bad.gone: no such column']],
    ['another type', { name: uuid() }, ['bad.name: is text, not uuid']],
    ['another nullability', { name: nullable(text()) }, ['bad.name: is nullable in one place alone']],
    ['a column left out', {}, ['bad.name: an insert lacks it']],
  ])('are told by this test from %s', async (_, columns, expected) => {
    await db.owner.query('drop table if exists bad');
    await db.owner.query('create table bad (tenant_id uuid, id uuid, name text not null, primary key (tenant_id, id))');
    expect(await differences(db, [entity('bad', { id: uuid() }, columns)])).toEqual(expected);
    expect(await differences(db, [entity('bad', { name: uuid() }, { id: uuid() })])).not.toEqual([]);
  });

  it('parse each document by a schema', () => {
    const unparsed = (entities: readonly EntitySchema[]): readonly string[] =>
      entities.flatMap(({ options: { name, columns } }) =>
        Object.entries(columns).flatMap(([property, column]) =>
          column?.type === 'jsonb' && column.transformer === undefined ? [`${name}.${property}`] : [],
        ),
      );
    expect(unparsed(ENTITIES)).toEqual([]);
    expect(unparsed([entity('bad', { id: uuid() }, { facts: { type: 'jsonb' } })])).toEqual(['bad.facts']);
  });

  it('are all known to the database', async () => {
    const libraries = join(packageRoot(), 'libs');
    const files = (await readdir(libraries, { recursive: true })).filter((file) => file.endsWith('.entity.ts'));
    expect(files.length).toBeGreaterThan(0);
    const exported = await Promise.all(
      files.map(async (file) =>
        Object.values((await import(join(libraries, file))) as Readonly<Record<string, unknown>>),
      ),
    );
    expect(new Set(exported.flat())).toEqual(new Set(ENTITIES));
  });
});

/** The tables, columns and functions that a file says a malformed record may be at. */
function recordsIn(text: string): readonly string[] {
  const named = (pattern: RegExp, record: (table: string, column: string) => string): readonly string[] =>
    [...text.matchAll(pattern)].map(([, table = '', column = '']) => record(table, column));
  // A function that passes the column on is beside its uses. The table is that of the last one before, or else of the first.
  const passing = [...text.matchAll(/\btable: '(\w+)',\s*column\b(?!:)/g)];
  const passed = [...text.matchAll(/\bat\((?:\w+, )?'(\w+)'\)/g)].flatMap(({ index, 1: column = '' }) => {
    const table = (passing.findLast((one) => one.index < index) ?? passing[0])?.[1];
    return table === undefined ? [] : [`${table}.${column}`];
  });
  return [
    ...named(/\btable: '(\w+)'/g, (table) => table),
    ...named(/\btable: '(\w+)',\s*column: '(\w+)'/g, (table, column) => `${table}.${column}`),
    ...named(/\bnew ParsedTexts\('(\w+)', '(\w+)'/g, (table, column) => `${table}.${column}`),
    ...named(/\bfunction: '(\w+)'/g, (name) => `${name}()`),
    ...passed,
  ];
}

describe('the place of a malformed record', () => {
  let names: ReadonlySet<string>;
  beforeAll(async () => {
    const db = await testDatabase();
    const { rows } = await db.owner.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace
       union all
       select relname || '.' || attname from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
       union all
       select proname || '()' from pg_proc where pronamespace = 'public'::regnamespace`,
    );
    names = new Set(rows.map(({ name }) => name));
    await db.close();
  });

  it('is in the catalog, so that an operator finds it', async () => {
    const libs = join(packageRoot(), 'libs');
    const paths = (await readdir(libs, { recursive: true })).filter((path) => /^.*(?<!\.spec)\.ts$/.test(path));
    const records = (
      await Promise.all(paths.map(async (path) => recordsIn(await readFile(join(libs, path), 'utf8'))))
    ).flat();
    expect(records).toEqual(expect.arrayContaining(['audit_entry.payload', 'task.spec', 'run_turn_facts()']));
    expect(records.filter((record) => !names.has(record))).toEqual([]);
  });

  it.each([
    ["{ table: 'run', column: 'runs' }", 'run.runs'],
    ["const at = (column: string) => ({ table: 'decision', column, id }); at('inputs')", 'decision.inputs'],
    ["new ParsedTexts('task', 'specs', schema)", 'task.specs'],
    ["{ table: 'run_turn_facts', id }", 'run_turn_facts'],
    ["{ function: 'run_facts', id }", 'run_facts()'],
  ])('is caught in %s', (text, record) => {
    expect(recordsIn(text).filter((found) => !names.has(found))).toEqual([record]);
  });
});
