import type { Client } from 'pg';
import { fail } from '#lib/kernel';
import type { DatabaseConfig } from '../application/database-config.js';
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { reaching } from './connecting.js';
import { operatorClient } from './operator-client.js';
import { packageRoot } from './package-root.js';

const DATABASE_NAME = 'countersign';

/**
 * Work on the schema itself, for commands of the operator: as countersign_owner, which sees the rows of every tenant.
 *
 * @throws {FailureError} `database.migrate_url_missing`, `database.unreachable`, `database.login_refused`, `database.missing`,
 * `database.pooled`.
 */
export async function asOwner<T>(config: DatabaseConfig, work: (client: Client) => Promise<T>): Promise<T> {
  if (config.kind === 'external') {
    const { migrateUrl } = config;
    if (migrateUrl === undefined) {
      return fail({
        kind: 'unavailable',
        code: 'database.migrate_url_missing',
        message: 'The login of DATABASE_URL serves and may not change the schema.',
        action: 'Set COUNTERSIGN_MIGRATE_URL to a login that may make roles, beside DATABASE_URL.',
      });
    }
    return reaching(migrateUrl, 'COUNTERSIGN_MIGRATE_URL', () => withClient(migrateUrl, work));
  }
  const server = await startEmbeddedPostgres({ directory: config.directory, root: packageRoot() });
  try {
    const url = new URL(server.adminUrl);
    url.pathname = `/${DATABASE_NAME}`;
    return await withClient(url.href, work);
  } finally {
    await server.stop();
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await operatorClient(url, 'countersign-owner');
  try {
    await client.query('set role countersign_owner');
    return await work(client);
  } finally {
    await client.end();
  }
}
