import type { Client } from 'pg';
import { fail, type Failure } from '#lib/kernel';

import { urlsOf } from './address-of.js';
import { pastPooler } from './connecting.js';
import { DatabaseHosts, leave } from './database-hosts.js';

/** The setting of an operator's address. */
export const OPERATOR_SETTING = 'COUNTERSIGN_MIGRATE_URL';

/**
 * A client for a command of the operator, connected to the host that writes.
 *
 * @param url of one host or several.
 * @throws {FailureError} `database.pooled`, `database.login_refused` by a pooler, `database.unavailable`; an error of the driver if no host
 * answers.
 */
export async function operatorClient(url: string, applicationName: string): Promise<Client> {
  const hosts = new DatabaseHosts(urlsOf(url));
  const client = hosts.client({ application_name: applicationName, connectionTimeoutMillis: 10_000 });
  // The next statement on a lost connection fails. Without a listener its error would end the process.
  client.on('error', () => undefined);
  await pastPooler(url, OPERATOR_SETTING, () => client.connect());
  try {
    await hosts.verify(client);
    if (hosts.pooled) fail(pooled);
  } catch (error) {
    await leave(client);
    throw error;
  }
  return client;
}

/** A role or lock of a database session would stay with the pooler's connection, for its next client. */
const pooled: Failure = {
  kind: 'unavailable',
  code: 'database.pooled',
  message: 'The address of the operator leads to a pooler, which keeps no database session for its clients.',
  action: `Name the PostgreSQL server itself in ${OPERATOR_SETTING}.`,
};
