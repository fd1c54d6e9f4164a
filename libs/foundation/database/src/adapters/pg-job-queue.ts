import type { JobName, JobQueue, Tx } from '#lib/kernel';
import { traceParent } from '#lib/tracing';

import { sqlOf } from './sql.js';

/** The channel that workers listen on. */
export const JOB_CHANNEL = 'countersign_job';

/**
 * Wakes workers by NOTIFY, which PostgreSQL sends if the transaction commits. The statement travels with the next one, so
 * it costs no round trip; if it is refused, the unit of work fails.
 */
export class PgJobQueue implements JobQueue {
  enqueue(tx: Tx, name: JobName, id: string): Promise<void> {
    const parts = [name, tx.tenantId, id, traceParent()].filter((part) => part !== null);
    sqlOf(tx).callAhead('pg_notify', [JOB_CHANNEL, parts.join(' ')]);
    return Promise.resolve();
  }
}
