import type { Client } from 'pg';

/** Work in one transaction. Triggers that keep the service from changing records, and foreign keys, do not hold a copy there. */
export async function asReplica<T>(client: Pick<Client, 'query'>, work: () => Promise<T>): Promise<T> {
  await client.query("begin; set local session_replication_role = 'replica'; set local lock_timeout = '5s'");
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
