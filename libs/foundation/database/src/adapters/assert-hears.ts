import { setTimeout as delay } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { DataSource } from 'typeorm';
import { fail, type Failure } from '#lib/kernel';
import { connecting } from './connecting.js';
import { drop, leave, type DatabaseHosts } from './database-hosts.js';

const CHANNEL = 'countersign_start';
/** The time limit of the notification. PostgreSQL passes one on within milliseconds. */
const HEARD_WITHIN_MS = 5_000;

/**
 * Refuses to serve if a notification that the pool sends does not reach a connection that listens. A pooler in
 * transaction mode takes LISTEN and passes nothing on, so every event would be lost without an error; and so would
 * those of another database.
 *
 * @param listened the hosts that the process will listen at.
 * @param directUrl their address if it is COUNTERSIGN_DIRECT_URL; undefined for DATABASE_URL.
 * @throws {FailureError} `database.no_notifications`, or those of {@link connecting}.
 */
export async function assertHears(
  dataSource: DataSource,
  listened: DatabaseHosts,
  directUrl: string | undefined,
): Promise<void> {
  // Processes that start side by side hear each other.
  const payload = v7();
  const client = listened.client({ application_name: 'countersign-listen', connectionTimeoutMillis: HEARD_WITHIN_MS });
  client.on('error', () => undefined);
  const heard = new Promise<true>((resolve) => {
    client.on('notification', (message) => {
      if (message.payload === payload) resolve(true);
    });
  });
  const listen = async (): Promise<void> => {
    await client.connect();
    await listened.verify(client);
    await client.query(`listen ${CHANNEL}`);
  };
  const late = new AbortController();
  try {
    await connecting(directUrl ?? listened.first, directUrl === undefined ? 'DATABASE_URL' : SETTING, listen);
    await dataSource.query('select pg_notify($1, $2)', [CHANNEL, payload]);
    const answer = await Promise.race([heard, delay(HEARD_WITHIN_MS, false, { signal: late.signal })]);
    if (!answer) fail(directUrl === undefined ? pooledUnsaid : notDirect);
    await leave(client);
  } finally {
    late.abort();
    drop(client);
  }
}

const SETTING = 'COUNTERSIGN_DIRECT_URL';

const notDirect: Failure = {
  kind: 'unavailable',
  code: 'database.no_notifications',
  message: `A notification that DATABASE_URL sent did not arrive at ${SETTING}.`,
  action: `Let ${SETTING} name the PostgreSQL server itself, and the same database: a pooler in transaction mode passes no notification on.`,
};

const pooledUnsaid: Failure = {
  kind: 'unavailable',
  code: 'database.no_notifications',
  message: 'DATABASE_URL leads to a pooler that passes no notification on.',
  action: `Set COUNTERSIGN_POOLED=1, and ${SETTING} to the PostgreSQL server itself.`,
};
