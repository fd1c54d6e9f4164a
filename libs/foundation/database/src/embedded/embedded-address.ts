import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fail } from '#lib/kernel';

import { SUPERUSER } from './initialise-data.js';
import { readServerRecord } from './server-record.js';

/**
 * The superuser's address of the embedded server that keeps its data in a folder, whether or not it runs.
 *
 * @throws {FailureError} `database.no_embedded_server`.
 */
export async function embeddedAddress(folder: string): Promise<string> {
  const directory = resolve(folder);
  const record = await readServerRecord(directory);
  const password = await readFile(join(directory, `${SUPERUSER}.password`), 'utf8').catch(() => '');
  if (record === undefined || password === '') {
    fail({
      kind: 'not_found',
      code: 'database.no_embedded_server',
      message: `${directory} holds no PostgreSQL of Countersign.`,
      action: 'Name the folder that has server.json in it: .countersign/postgres, or that of a standby.',
    });
  }
  return `postgres://${SUPERUSER}:${password.trim()}@127.0.0.1:${String(record.port)}/postgres`;
}
