import { join } from 'node:path';
import type { Client } from 'pg';
import { DataSource, QueryFailedError, type MigrationInterface, type QueryRunner } from 'typeorm';
import { fail, FailureError } from '#lib/kernel';

import { urlsOf } from './address-of.js';
import { pastPooler } from './connecting.js';
import { DatabaseHosts } from './database-hosts.js';
import { OPERATOR_SETTING, operatorClient } from './operator-client.js';
import { assertUnedited, readMigrationFiles, type MigrationFile } from './migration-files.js';
import { packageRoot } from './package-root.js';
import { APP_ROLE, OWNER_ROLE, prepareRoles } from './prepare-roles.js';

/** Any number that no other program takes an advisory lock by. */
const MIGRATION_LOCK = 7_233_415_126;

const MIN_MAJOR = 16;

export interface MigrateOptions {
  /** The login, at one host or several, that may make roles, or that may at least become countersign_owner; see {@link prepareRoles}. */
  readonly adminUrl: string;
  /** Sets countersign_app's password. */
  readonly appPassword?: string;
  /** The folder of the .sql files; the package's own `migrations/` without it. */
  readonly folder?: string;
}

/**
 * Brings the database up to this version's schema: roles, and every unapplied migration, each in its own transaction.
 * Repeating it changes nothing; two at once wait for each other.
 *
 * @returns the names of the migrations applied now.
 * @throws {FailureError} `database.pooled`, `database.login_refused` by a pooler, `database.version`,
 * `database.other_owner` and `database.migration_failed`. `database.migration_changed` if an applied file was edited
 * since; `database.schema_newer` if this version does not know an applied migration.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<readonly string[]> {
  const files = await readMigrationFiles(options.folder ?? join(packageRoot(), 'migrations'));
  const hosts = new DatabaseHosts(urlsOf(options.adminUrl));
  const { url } = await pastPooler(options.adminUrl, OPERATOR_SETTING, () => hosts.writing());
  const admin = await operatorClient(url, 'countersign-migrate');
  try {
    const { rows } = await admin.query<{ server_version_num: string }>('show server_version_num');
    assertSupportedVersion(Number(rows[0]?.server_version_num));
    // Databases of a cluster share roles, and no advisory locks. So role statements of two migrations may collide: they are
    // refused, and can be repeated.
    await admin.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await prepareRoles(admin, options.appPassword);
    await assertOwned(admin);
    return await applyFiles(url, files);
  } finally {
    await admin.end();
  }
}

/**
 * Roles are granted as PostgreSQL 16 has it (`with inherit true, set true`); an older server would call it a syntax error.
 *
 * @param versionNumber `server_version_num`: 160004 is 16.4.
 * @throws {FailureError} `database.version`.
 */
export function assertSupportedVersion(versionNumber: number): void {
  if (versionNumber >= MIN_MAJOR * 10_000) return;
  fail({
    kind: 'unavailable',
    code: 'database.version',
    message: `The database is PostgreSQL ${String(Math.floor(versionNumber / 10_000))}, and ${String(MIN_MAJOR)} or newer is needed.`,
    action: 'Upgrade the server, or leave DATABASE_URL out for the embedded one.',
  });
}

/**
 * A backup that was restored before its roles were there belongs to the restoring login, and has lost every right.
 *
 * @throws {FailureError} `database.other_owner`.
 */
async function assertOwned(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ tableowner: string }>(
    `select tableowner from pg_tables where schemaname = 'public' and tablename = 'schema_migration_file' and tableowner <> $1`,
    [OWNER_ROLE],
  );
  const [found] = rows;
  if (found === undefined) return;
  fail({
    kind: 'unavailable',
    code: 'database.other_owner',
    message: `The tables of the database belong to ${found.tableowner}, not to ${OWNER_ROLE}: a backup was restored before its roles were there.`,
    action: 'The roles are there now. Make an empty database again, restore the backup into it, and run this again.',
  });
}

async function applyFiles(adminUrl: string, files: readonly MigrationFile[]): Promise<readonly string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: adminUrl,
    migrations: files.map(asTypeormMigration),
    migrationsTableName: 'schema_migration',
    migrationsTransactionMode: 'each',
    logger: 'debug', // silent: failures are thrown
    extra: { options: `-c role=${OWNER_ROLE}`, max: 1 },
  });
  await dataSource.initialize();
  try {
    // A service that starts after a migration failed reads there what is missing.
    for (const statement of [createChecksumTable, mayReadChecksums]) await dataSource.query(statement);
    await verifyApplied(dataSource, files);
    const executed = await dataSource.runMigrations();
    await dataSource.query(describeBookkeeping);
    return executed.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}

const createChecksumTable = `
  create table if not exists schema_migration_file (
    name text not null constraint schema_migration_file_pk primary key,
    checksum text not null,
    applied_at timestamptz not null default clock_timestamp()
  )`;

const mayReadChecksums = `grant select on schema_migration_file to ${APP_ROLE}`;

const describeBookkeeping = `
  comment on table schema_migration is 'Global: which migrations ran, as TypeORM keeps it.';
  comment on column schema_migration.id is 'Order of application.';
  comment on column schema_migration."timestamp" is 'The number of the migration.';
  comment on column schema_migration.name is 'Its name.';
  comment on table schema_migration_file is 'Global: what each applied migration file contained.';
  comment on column schema_migration_file.name is 'The file, without .sql.';
  comment on column schema_migration_file.checksum is 'SHA-256 of the file, hexadecimal.';
  comment on column schema_migration_file.applied_at is 'When it was applied.'`;

async function verifyApplied(dataSource: DataSource, files: readonly MigrationFile[]): Promise<void> {
  const applied = await dataSource.query<{ name: string; checksum: string }[]>(
    'select name, checksum from schema_migration_file order by name',
  );
  assertUnedited(files, applied);
  const known = new Set(files.map(({ name }) => name));
  const newer = applied.find(({ name }) => !known.has(name));
  if (newer !== undefined) {
    fail({
      kind: 'unavailable',
      code: 'database.schema_newer',
      message: `The database holds the migration ${newer.name}, which this version does not know.`,
      action: 'Start the version that migrated it, or a newer one; migrations are never undone.',
    });
  }
}

/** TypeORM orders migrations by the 13 digits that end their name, so the file's number is written there. */
function asTypeormMigration(file: MigrationFile): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = `${file.name}_${String(file.number).padStart(13, '0')}`;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(file.sql).catch((error: unknown) => {
        throw explainMigrationError(file, error);
      });
      await runner.query('insert into schema_migration_file (name, checksum) values ($1, $2)', [
        file.name,
        file.checksum,
      ]);
    }

    down(): Promise<void> {
      return Promise.reject(new Error('Migrations only go forward: restore a backup to go back.'));
    }
  };
}

/** PostgreSQL counts characters; people count lines. */
function explainMigrationError(file: MigrationFile, error: unknown): Error {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : undefined;
  const position = typeof cause === 'object' && cause !== null && 'position' in cause ? cause.position : undefined;
  const line = typeof position === 'string' ? file.sql.slice(0, Number(position)).split('\n').length : undefined;
  const where = line === undefined ? '' : `:${String(line)}`;
  return new FailureError(
    {
      kind: 'unavailable',
      code: 'database.migration_failed',
      message: `migrations/${file.name}.sql${where}: ${error instanceof Error ? error.message : String(error)}`,
      action:
        'Correct that, and run "countersign migrate" again. The migrations before it stay, and nothing of this one does.',
    },
    { cause: error },
  );
}
