import type { DataSource } from 'typeorm';
import type { JobBacklog } from '../application/database.ports.js';
import { JOB_SCHEMA, QUEUES } from './pg-boss-queues.js';

/** What waits in the job queue and could be worked on now, by queue; a queue without any is told, too. */
export async function jobBacklog(dataSource: DataSource): Promise<readonly JobBacklog[]> {
  const rows = await dataSource.query<{ name: string; waiting: number; oldest_seconds: number }[]>(
    `select name, count(*)::integer as waiting,
            greatest(0, extract(epoch from clock_timestamp() - min(start_after)))::float8 as oldest_seconds
       from ${JOB_SCHEMA}.job
      where state < 'active' and start_after <= clock_timestamp()
      group by name`,
  );
  const waiting = new Map(rows.map((row) => [row.name, row]));
  return [...new Set([...Object.keys(QUEUES), ...waiting.keys()])].map((queue) => ({
    queue,
    waiting: waiting.get(queue)?.waiting ?? 0,
    oldestSeconds: waiting.get(queue)?.oldest_seconds ?? 0,
  }));
}
