import type { PgBoss } from 'pg-boss';
import type { JobName, JobPayloads, JobQueue, Tx } from '#lib/kernel';
import { traceParent } from '#lib/tracing';

import { sqlOf } from './sql.js';

/** What is stored of a job: ids only, and where somebody traces, the trace that it goes on with. */
export interface StoredJob<Name extends JobName> {
  readonly tenant_id: string;
  readonly payload: JobPayloads[Name];
  readonly trace_parent?: string;
}

/** The channel that workers are woken on; its payload is the job's name. */
export const JOB_CHANNEL = 'countersign_job';

/**
 * Writes jobs through the caller's own transaction: no job without its cause, no cause without its job. Sent ahead, they cost
 * no round trip of their own; one that is refused fails the unit of work.
 */
export class PgBossJobQueue implements JobQueue {
  constructor(private readonly boss: PgBoss) {}

  async enqueue<Name extends JobName>(
    tx: Tx,
    name: Name,
    payload: JobPayloads[Name],
    options: { readonly startAfterMs?: number } = {},
  ): Promise<void> {
    const sql = sqlOf(tx);
    const parent = traceParent();
    const job: StoredJob<Name> = {
      tenant_id: tx.tenantId,
      payload,
      ...(parent === null ? {} : { trace_parent: parent }),
    };
    await this.boss.send(name, job, {
      ...(options.startAfterMs === undefined ? {} : { startAfter: options.startAfterMs / 1000 }),
      db: {
        executeSql: (text, values) => {
          sql.executeAhead(text, values);
          return Promise.resolve({ rows: [] });
        },
      },
    });
    if (options.startAfterMs === undefined) sql.executeAhead('select pg_notify($1, $2)', [JOB_CHANNEL, name]);
  }
}
