import { createHash } from 'node:crypto';
import type { SystemQuery } from '#lib/database';

/**
 * The name of an installation beside others: by PostgreSQL's cluster and the database. It is the same for all workers, and after a
 * promotion; a dump that is loaded elsewhere gets another.
 */
export async function installationName(systemQuery: Pick<SystemQuery, 'read'>): Promise<string> {
  const [cluster] = await systemQuery.read<{ readonly system_identifier: string }>('pg_control_system');
  const [database] = await systemQuery.read<{ readonly current_database: string }>('current_database');
  if (cluster === undefined || database === undefined) throw new Error('the database does not name itself');
  const identity = `${cluster.system_identifier}/${database.current_database}`;
  return createHash('sha256').update(identity).digest('hex').slice(0, 16);
}
