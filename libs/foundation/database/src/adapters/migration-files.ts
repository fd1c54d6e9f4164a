import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '#lib/kernel';

/** One forward-only step of the schema. */
export interface MigrationFile {
  /** From the file's name, `0001_tenancy.sql`: the order. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, hexadecimal. */
  readonly checksum: string;
}

const fileName = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/** Reads `folder`'s migrations in their order. @throws for a file named otherwise, and for a number used twice. */
export async function readMigrationFiles(folder: string): Promise<readonly MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const files = await Promise.all(
    names.map(async (name): Promise<MigrationFile> => {
      const number = Number(fileName.exec(name)?.[1] ?? Number.NaN);
      if (!(number > 0)) throw new Error(`migrations/${name} is not named like 0001_what_it_does.sql`);
      const sql = await readFile(join(folder, name), 'utf8');
      return {
        number,
        name: name.slice(0, -'.sql'.length),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    }),
  );
  const twice = files.find((file, index) => files[index + 1]?.number === file.number);
  if (twice !== undefined) throw new Error(`Two migrations have the number ${String(twice.number)}`);
  return files;
}

/**
 * Refuses a file that was edited after it was applied.
 *
 * @throws {FailureError} `database.migration_changed`.
 */
export function assertUnedited(
  files: readonly MigrationFile[],
  applied: readonly Pick<MigrationFile, 'name' | 'checksum'>[],
): void {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const edited = files.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (edited === undefined) return;
  fail({
    kind: 'unavailable',
    code: 'database.migration_changed',
    message: `The migration ${edited.name} differs from the file that was applied to this database.`,
    action:
      'Start the version that migrated this database: there is no upgrade between versions before 1.0. If you edited the file, put it back, and write the change as a new migration.',
  });
}
