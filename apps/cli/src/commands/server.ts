import { existsSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { Database } from '#lib/database';
import type { FileKeyring } from '#lib/tenancy';
import { CommandError, EXIT } from '../exit-codes.js';
import { requireAbsent } from '../new-file.js';
import { oneLine, type Output } from '../output.js';
import type { Roles } from '../start-server.js';
import { bootstrapTokenFile, replaceSecretFile, writeNewSecretFile } from '../token-files.js';

/**
 * Commands for whoever operates the machine: they work on the database itself. The server is loaded only when one of
 * them runs; the others start without it.
 */
export function addServerCommands(program: Command, outputOf: () => Output): void {
  program
    .command('start')
    .description('run api and worker in this process, on the embedded PostgreSQL unless DATABASE_URL says otherwise')
    .addOption(new Option('--api-only', 'run the api alone').conflicts('workerOnly'))
    .option('--worker-only', 'run the worker alone')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign start\n  DATABASE_URL=postgres://countersign_app@db/countersign countersign start --api-only\n',
    )
    .action(async (options: { apiOnly?: boolean; workerOnly?: boolean }) => {
      const { startServer } = await import('../start-server.js');
      await startServer(rolesOf(options), bootstrapTokenAtFirstStart);
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

  program
    .command('bootstrap')
    .description('make a single-use token, good for 24 hours, that founds a tenant (see `countersign found`)')
    .option('--person <email>', 'instead: a token with which this person of a tenant comes in, shown to no admin')
    .option('--tenant <slug>', 'the tenant of that person; may be left out where there is one')
    .option('--save-invitation <file>', 'where to keep that token (mode 0600; must not exist)')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign bootstrap\n  countersign bootstrap --person noor@acme.example --save-invitation noor.txt\n',
    )
    .action(
      async ({ person, tenant, saveInvitation }: { person?: string; tenant?: string; saveInvitation?: string }) => {
        const { databaseConfigFrom, openDatabase, packageRoot } = await import('#lib/database');
        const ignore = (): void => undefined;
        const database = await openDatabase(databaseConfigFrom(process.env, packageRoot()), {
          applicationName: 'countersign-bootstrap',
          works: false,
          poolSize: 2,
          onError: ignore,
          onJobFailure: ignore,
        });
        try {
          if (person !== undefined) {
            const written = await letInPerson(database, person, tenant, saveInvitation ?? `${person}.txt`);
            outputOf().result({ file: written }, [
              `A token for ${oneLine(person)} is in ${written}. It works once; hand it to them, and to nobody else.`,
              `next: they run countersign enrol ${written} --save-token FILE --scope read review run`,
            ]);
            return;
          }
          const file = await writeBootstrapToken(database);
          outputOf().result({ file }, [`A bootstrap token is in ${file}. It works once, within 24 hours.`]);
        } finally {
          await database.close();
        }
      },
    );

  addKeyring(program, outputOf);
}

/** `countersign keyring`: the master keys of the installation, in the file that this machine's processes read. */
function addKeyring(program: Command, outputOf: () => Output): void {
  program
    .command('keyring')
    .description('the master keys, under which secrets and signing keys are encrypted')
    .command('rotate')
    .description('encrypt with a new master key from now on; older ones stay, for what is encrypted under them')
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

async function configuredKeyring(): Promise<FileKeyring> {
  const [{ installationConfigFrom }, { packageRoot }, { openKeyring }] = await Promise.all([
    import('#lib/installation'),
    import('#lib/database'),
    import('#lib/tenancy'),
  ]);
  const { keyDirectory, keyringFile } = installationConfigFrom(process.env, packageRoot());
  return openKeyring({ COUNTERSIGN_KEYRING: keyringFile ?? undefined }, keyDirectory);
}

async function writeBootstrapToken(database: Database): Promise<string> {
  const { IssueBootstrapToken, nodeRandomBytes, PostgresBootstrapTokenRepository } = await import('#lib/identity');
  const { DerivedKeys, KeyringSecretDigests } = await import('#lib/tenancy');
  const digests = new KeyringSecretDigests(new DerivedKeys(await configuredKeyring()));
  const issue = new IssueBootstrapToken(database.uow, new PostgresBootstrapTokenRepository(), digests, nodeRandomBytes);
  const { token } = await issue.execute();
  const file = await bootstrapTokenFile();
  await replaceSecretFile(file, token);
  return file;
}

/** A way in for a person of a tenant that no admin of it sees: what the operator hands to somebody they know. */
async function letInPerson(database: Database, email: string, slug: string | undefined, file: string): Promise<string> {
  const { EnrolmentTokens, nodeRandomBytes, PostgresEnrolmentRepository } = await import('#lib/identity');
  const { PostgresExternalIdentityRepository, PostgresTenantDirectory } = await import('#lib/sign-in');
  const { DerivedKeys, KeyringSecretDigests } = await import('#lib/tenancy');
  requireAbsent(file);
  const tenants = new PostgresTenantDirectory(database.systemQuery);
  const tenantId = await (slug === undefined ? tenants.only() : tenants.bySlug(slug));
  if (tenantId === null)
    throw new CommandError(
      EXIT.usage,
      'There is no such tenant, or more than one.',
      'Say which: --tenant SLUG.',
      [],
      'bootstrap.tenant',
    );
  const digests = new KeyringSecretDigests(new DerivedKeys(await configuredKeyring()));
  const tokens = new EnrolmentTokens(new PostgresEnrolmentRepository(database.systemQuery), digests, nodeRandomBytes);
  const { token, digest } = await tokens.spell();
  await database.uow.run(tenantId, async (tx) => {
    const personId = await new PostgresExternalIdentityRepository().personByEmail(tx, email);
    if (personId === null) throw nobodyThere(email);
    await tokens.write(tx, digest, personId, { channel: 'operator', createdBy: null });
  });
  await writeNewSecretFile(file, token);
  return file;
}

const nobodyThere = (email: string): CommandError =>
  new CommandError(
    EXIT.usage,
    `Nobody of this tenant has the address ${email}.`,
    'An admin adds them first, with the roles they are to hold.',
    [],
    'bootstrap.person',
  );

/** Where nobody has founded a tenant yet, the first start leaves a way to do it. */
async function bootstrapTokenAtFirstStart(database: Database): Promise<string | null> {
  const tenants = await database.systemQuery.call('any_tenant');
  if (tenants.length > 0) return null;
  const file = await bootstrapTokenFile();
  return existsSync(file) ? file : writeBootstrapToken(database);
}
