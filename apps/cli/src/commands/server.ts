import { existsSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { databaseConfigFrom, dataDirectory, migrateConfigured, openDatabase, packageRoot } from '#lib/database';
import { IssueBootstrapToken, nodeRandomBytes, PostgresBootstrapTokenRepository } from '#lib/identity';
import type { Database } from '#lib/database';
import type { Output } from '../output.js';
import { startServer, type Roles } from '../start-server.js';

/** Commands for whoever operates the machine: they work on the database itself. */
export function addServerCommands(program: Command, outputOf: () => Output): void {
  program
    .command('start')
    .description('run api and worker in this process, on the embedded PostgreSQL unless DATABASE_URL says otherwise')
    .option('--api-only', 'run the api alone')
    .option('--worker-only', 'run the worker alone')
    .addHelpText('after', '\nExamples:\n  countersign start\n  DATABASE_URL=postgres://countersign_app@db/countersign countersign start --api-only\n')
    .action(async (options: { apiOnly?: boolean; workerOnly?: boolean }) => {
      await startServer(rolesOf(options), bootstrapTokenAtFirstStart);
    });

  program
    .command('migrate')
    .description('bring the database up to date; needs COUNTERSIGN_MIGRATE_URL beside DATABASE_URL')
    .action(async () => {
      const applied = await migrateConfigured(databaseConfigFrom(process.env, packageRoot()));
      const lines = applied.length === 0 ? ['The database is up to date.'] : applied.map((name) => `applied ${name}`);
      outputOf().result({ applied }, lines);
    });

  program
    .command('bootstrap')
    .description('make a single-use token, good for 24 hours, that founds a tenant (see `countersign found`)')
    .action(async () => {
      const ignore = (): void => undefined;
      const database = await openDatabase(databaseConfigFrom(process.env, packageRoot()), {
        applicationName: 'countersign-bootstrap',
        works: false,
        poolSize: 2,
        onError: ignore,
        onJobFailure: ignore,
      });
      try {
        const file = await writeBootstrapToken(database);
        outputOf().result({ file }, [`A bootstrap token is in ${file}. It works once, within 24 hours.`]);
      } finally {
        await database.close();
      }
    });
}

function rolesOf({ apiOnly, workerOnly }: { apiOnly?: boolean; workerOnly?: boolean }): Roles {
  return { api: workerOnly !== true, worker: apiOnly !== true };
}

/** Where the bootstrap token lies: readable by whoever runs the server, and by nobody else. */
export const bootstrapTokenFile = (): string => join(dataDirectory(process.env, packageRoot()), 'bootstrap-token');

async function writeBootstrapToken(database: Database): Promise<string> {
  const issue = new IssueBootstrapToken(database.uow, new PostgresBootstrapTokenRepository(), nodeRandomBytes);
  const { token } = await issue.execute();
  const file = bootstrapTokenFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${token}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return file;
}

/** Where nobody has founded a tenant yet, the first start leaves a way to do it. */
async function bootstrapTokenAtFirstStart(database: Database): Promise<string | null> {
  const tenants = await database.systemQuery.call('any_tenant');
  if (tenants.length > 0) return null;
  return existsSync(bootstrapTokenFile()) ? bootstrapTokenFile() : writeBootstrapToken(database);
}

/** The bootstrap token that a server on this machine has left. */
export const readBootstrapToken = async (file: string): Promise<string> => (await readFile(file, 'utf8')).trim();

/** Keeps a credential where the next command finds it. */
export async function writeTokenFile(file: string, token: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
}
