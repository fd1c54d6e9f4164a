import { Option, type Command } from 'commander';
import type { Output } from '../output.js';
import type { Roles } from '../start-server.js';
import { bootstrapTokenAtFirstStart, configuredKeyring } from '../operator-database.js';
import { addBootstrapCommand } from './bootstrap.js';
import { addGrantKey } from './grant-key.js';
import { addMonths } from './months.js';
import { addRestored } from './restored.js';

/**
 * Commands for the operator of the machine: they work on the database itself. The server is loaded only if one of them
 * runs; the others start without it.
 */
export function addServerCommands(program: Command, outputOf: () => Output): void {
  program
    .command('start')
    .description('run api and worker in this process, on the embedded PostgreSQL unless DATABASE_URL says otherwise')
    .addOption(new Option('--api-only', 'run the api alone').conflicts('workerOnly'))
    .option('--worker-only', 'run the worker alone')
    .option('--accept', 'start though the public address has another host, and passkeys of the former one stop working')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign start\n  DATABASE_URL=postgres://countersign_app@db/countersign countersign start --api-only\n',
    )
    .action(async (options: { apiOnly?: boolean; workerOnly?: boolean; accept?: boolean }) => {
      const { startServer } = await import('../start-server.js');
      await startServer(rolesOf(options), options.accept === true, bootstrapTokenAtFirstStart);
    });

  program
    .command('migrate')
    .description('bring the database up to date; needs COUNTERSIGN_MIGRATE_URL beside DATABASE_URL')
    .addHelpText(
      'after',
      '\nExample:\n  DATABASE_URL=postgres://countersign_app@db/countersign COUNTERSIGN_MIGRATE_URL=postgres://postgres@db/countersign countersign migrate\n',
    )
    .action(async () => {
      const { databaseConfigFrom, migrateConfigured, packageRoot } = await import('#lib/database');
      const applied = await migrateConfigured(databaseConfigFrom(process.env, packageRoot()));
      const lines =
        applied.length === 0
          ? ['The database is up to date.']
          : applied.map((name) => `applied ${name.replace(/_\d{13}$/, '')}`);
      outputOf().result({ applied }, lines);
    });

  addBootstrapCommand(program, outputOf);
  addRestored(program, outputOf);
  addMonths(program, outputOf);
  addKeyring(program, outputOf);
  addGrantKey(program, outputOf);
}

/** `countersign keyring`: the master keys of the installation, in the file that this machine's processes read. */
function addKeyring(program: Command, outputOf: () => Output): void {
  program
    .command('keyring')
    .description('the master keys, under which secrets and signing keys are encrypted')
    .command('rotate')
    .description('encrypt with a new master key from now on; older keys stay, to read older secrets')
    .addHelpText(
      'after',
      '\nExample:\n  COUNTERSIGN_KEYRING=/etc/countersign/keyring.json countersign keyring rotate\nThen, for each tenant:\n  countersign secret rotate\n',
    )
    .action(async () => {
      const keyring = await configuredKeyring();
      const keyId = await keyring.addKey();
      outputOf().result({ key_id: keyId }, [
        `Master key ${keyId} encrypts from now on; running processes need no restart. Back the keyring up.`,
        'next: countersign secret rotate, by an admin of each tenant',
      ]);
    });
}

function rolesOf({ apiOnly, workerOnly }: { apiOnly?: boolean; workerOnly?: boolean }): Roles {
  return { api: workerOnly !== true, worker: apiOnly !== true };
}
