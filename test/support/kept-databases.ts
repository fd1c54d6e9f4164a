import { setTimeout as delay } from 'node:timers/promises';
import type { Client, QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import type { Database, SystemQuery, TypeormUnitOfWork } from '#lib/database';

/** A database that a later test can use, with the connections of the service to it. */
export interface KeptDatabase {
  readonly name: string;
  /** The superuser's connection. */
  readonly admin: Client;
  readonly dataSource: DataSource;
  readonly uow: TypeormUnitOfWork;
  readonly systemQuery: SystemQuery;
  /** As an api opens it; absent until one does. */
  service?: Promise<Database>;
  readonly emptying: Emptying;
}

/** How a database becomes as good as new, but for the free space in its tables, which plans depend on. */
interface Emptying {
  /** Deletes the rows of tenants and of the installation. */
  readonly statement: string;
  /** Tells schema, rights, and the rows that migrations write. */
  readonly question: string;
  /** The answer of a new database. */
  readonly answer: string;
}

/** How PostgreSQL names the connections that are kept with a database; no test names its own so. */
export const KEPT_NAME = 'countersign-kept';

/** Few tests have more at a time. */
const MAX_KEPT = 2;
const AT_REST_WITHIN_MS = 500;
const BETWEEN_LOOKS_MS = 10;

const kept: KeptDatabase[] = [];

/** By server: the tables that migrations fill, and the answer. All new databases of a server are copies of one template. */
const ofTemplates = new Map<number, Promise<{ readonly filled: readonly string[]; readonly answer: string }>>();

/** A database as good as new, if an earlier test of the worker left one. */
export const takeKept = (): KeptDatabase | undefined => kept.pop();

/**
 * Empties a database that a test has done with, and keeps it for the next test of the worker. Its connections are worth
 * more than the copy: each backend has read the catalog, and planned the statements.
 *
 * @returns whether it is kept: not if anybody else is connected, and not if anything but rows of tenants changed.
 */
export async function keep(database: KeptDatabase): Promise<boolean> {
  const { admin, emptying } = database;
  if (kept.length === MAX_KEPT || !(await comesToRest(admin))) return false;
  await admin.query(emptying.statement);
  // By its name: each time of a database, it is the same long statement.
  if ((await answerOf(admin, { name: 'changes', text: emptying.question })) !== emptying.answer) return false;
  // A worker without further files ends in spite of the superuser's connection; those of the service never keep it.
  // The types of pg leave the method out.
  (admin as Client & { unref(): void }).unref();
  kept.push(database);
  return true;
}

/** @param admin the superuser's connection to a new database. */
export async function emptyingOf(admin: Client): Promise<Emptying> {
  const { rows } = await admin.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot()) as next');
  const next = rows[0]?.next ?? '';
  const ofTemplate = ofTemplates.get(admin.port) ?? readTemplate(admin, next);
  ofTemplates.set(admin.port, ofTemplate);
  ofTemplate.catch(() => ofTemplates.delete(admin.port));
  const { filled, answer } = await ofTemplate;
  return { statement: EMPTY.replace('FILLED', filled.join()), question: questionOf(filled, next), answer };
}

async function readTemplate(admin: Client, next: string): Promise<{ filled: readonly string[]; answer: string }> {
  const { rows } = await admin.query<{ relname: string }>(FILLED);
  const filled = rows.map(({ relname }) => relname);
  return { filled, answer: await answerOf(admin, questionOf(filled, next)) };
}

/**
 * @param filled the tables that migrations fill.
 * @param next the first transaction that could change the database after it was new.
 */
function questionOf(filled: readonly string[], next: string): string {
  const changed = `age(xmin) <= (select age('${next}'::xid))`;
  const changes = CATALOGS.map(
    (catalog) => `(select count(*) || ' ' || count(*) filter (where ${changed}) from ${catalog})`,
  );
  const contents = filled.map((table) => `(select md5(string_agg(t::text, ' ' order by t::text)) from ${table} t)`);
  return `select md5(concat_ws(' ', ${[...changes, ...contents].join(', ')})) as answer`;
}

async function answerOf(admin: Client, question: string | QueryConfig): Promise<string> {
  const { rows } = await admin.query<{ answer: string }>(question);
  return rows[0]?.answer ?? '';
}

/** Waits for those who are leaving, but not for a process that a test forgot. */
async function comesToRest(admin: Client): Promise<boolean> {
  const deadline = performance.now() + AT_REST_WITHIN_MS;
  for (;;) {
    const { rows } = await admin.query<{ busy: boolean }>(BUSY);
    if (rows[0]?.busy === false) return true;
    if (performance.now() > deadline) return false;
    await delay(BETWEEN_LOOKS_MS);
  }
}

/** Whether anybody works on the database, or is connected who is not kept with it. */
const BUSY = `select exists (select from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
    and (state is distinct from 'idle'
      or application_name not in ('${KEPT_NAME}', 'countersign-listen'))) as busy`;

/** The tables that migrations write rows to: states and their transitions. */
const FILLED = `select relname from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0 order by relname`;

/** As a superuser, past the triggers that keep rows. Numbers begin again as in a new database. */
const EMPTY = `begin;
  set local session_replication_role = replica;
  do $$
  declare
    filled regclass;
  begin
    for filled in select oid from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
        and relname <> all ('{FILLED}')
    loop
      execute format('delete from %s', filled);
    end loop;
    perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      from pg_sequences where last_value is not null;
  end $$;
  commit`;

/** A changed or new row has the number of a later transaction. */
const CATALOGS = [
  ...['pg_class', 'pg_proc', 'pg_type', 'pg_trigger', 'pg_policy', 'pg_constraint', 'pg_namespace', 'pg_attrdef'],
  ...[
    'pg_rewrite',
    'pg_extension',
    'pg_default_acl',
    'pg_statistic_ext',
    'pg_event_trigger',
    'pg_inherits',
    'pg_index',
    'pg_publication',
  ],
  'pg_attribute where attrelid >= 16384',
  'pg_statistic where starelid >= 16384',
  'pg_database where datname = current_database()',
  'pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())',
];
