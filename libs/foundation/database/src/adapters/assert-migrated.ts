import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { fail } from '#lib/kernel';

import { readMigrationFiles } from './migration-files.js';
import { packageRoot } from './package-root.js';

/**
 * Refuses to serve on a schema that is behind this version; one that is ahead is served, so that a new version can
 * migrate while the old one still runs.
 *
 * @throws {FailureError} `database.schema_behind`
 */
export async function assertMigrated(dataSource: DataSource): Promise<void> {
  const files = await readMigrationFiles(join(packageRoot(), 'migrations'));
  const [found] = await dataSource.query<{ present: boolean }[]>(
    `select to_regclass('schema_migration_file') is not null as present`,
  );
  const applied = found?.present
    ? await dataSource.query<{ name: string }[]>('select name from schema_migration_file')
    : [];
  const names = new Set(applied.map((row) => row.name));
  const missing = files.filter((file) => !names.has(file.name));
  if (missing.length > 0) {
    fail({
      kind: 'unavailable',
      code: 'database.schema_behind',
      message: `The database lacks ${String(missing.length)} of this version's migrations, the first of them ${missing[0]?.name ?? ''}.`,
      action: 'Run "countersign migrate" with COUNTERSIGN_MIGRATE_URL, then start again.',
    });
  }
}
