import { existsSync, statSync } from 'node:fs';
import type { Database } from '#lib/database';
import type { Installation } from '#lib/installation';
import type { FileKeyring } from '#lib/tenancy';
import { bootstrapTokenFile, replaceSecretFile } from './token-files.js';

/** A little shorter than the life of a token: an older one is made anew. */
const FRESH_MS = 23 * 3_600_000;

/** For a command of the operator: on the database itself, and without a worker. */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const [{ databaseConfigFrom, openDatabase, packageRoot }, { ENTITIES }] = await Promise.all([
    import('#lib/database'),
    import('#lib/installation'),
  ]);
  const ignore = (): void => undefined;
  const database = await openDatabase(databaseConfigFrom(process.env, packageRoot()), {
    applicationName: 'countersign-bootstrap',
    entities: ENTITIES,
    poolSize: 2,
    onError: ignore,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The keyring that the processes of this machine read. */
export async function configuredKeyring(): Promise<FileKeyring> {
  const [{ installationConfigFrom }, { packageRoot }, { openKeyring }] = await Promise.all([
    import('#lib/installation'),
    import('#lib/database'),
    import('#lib/tenancy'),
  ]);
  const { keyDirectory, keyringFile } = installationConfigFrom(process.env, packageRoot());
  return openKeyring({ COUNTERSIGN_KEYRING: keyringFile ?? undefined }, keyDirectory);
}

/** The installation of this machine, for a command on its database. */
export async function composedInstallation(database: Database): Promise<Installation> {
  const [{ compose, installationConfigFrom }, { packageRoot }] = await Promise.all([
    import('#lib/installation'),
    import('#lib/database'),
  ]);
  return compose(installationConfigFrom(process.env, packageRoot()), database);
}

/** Makes a bootstrap token. @returns the file that holds it. */
export async function makeBootstrapToken(database: Database): Promise<string> {
  const { identity } = await composedInstallation(database);
  const { token } = await identity.issueBootstrapToken.execute();
  const file = await bootstrapTokenFile();
  await replaceSecretFile(file, token);
  return file;
}

/** Until a tenant is founded, each start leaves a valid token to found one. */
export async function bootstrapTokenAtFirstStart(database: Database): Promise<string | null> {
  const tenants = await database.systemQuery.call('any_tenant');
  if (tenants.length > 0) return null;
  const file = await bootstrapTokenFile();
  const fresh = existsSync(file) && Date.now() - statSync(file).mtimeMs < FRESH_MS;
  return fresh ? file : makeBootstrapToken(database);
}
