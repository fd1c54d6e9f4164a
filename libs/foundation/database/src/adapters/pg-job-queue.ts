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

/**
 * Runs a statement that returns the ids of rows as `id`, and wakes the job of each that is not null. It travels ahead, as
 * {@link PgJobQueue.enqueue} does.
 *
 * @param parameters of the statement; two more are added behind them.
 */
export function enqueueReturned(tx: Tx, name: JobName, statement: string, parameters: readonly unknown[]): void {
  const [before, after] = [parameters.length + 1, parameters.length + 2];
  sqlOf(tx).executeAhead(
    `with due as (${statement})
     select pg_notify('${JOB_CHANNEL}', concat_ws(' ', $${String(before)}::text, due.id, $${String(after)}::text)) from due where due.id is not null`,
    [...parameters, `${name} ${tx.tenantId}`, traceParent()],
  );
}
