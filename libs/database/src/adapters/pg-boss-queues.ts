import type { Queue } from 'pg-boss';
import type { JobName } from '#lib/kernel';

export const JOB_SCHEMA = 'pgboss';

/** A job is a hint with a sweeper behind it: few retries, soon, and no long memory of what was done. */
const HINT = {
  retryLimit: 3,
  retryDelay: 1,
  retryBackoff: true,
  expireInSeconds: 300,
  retentionSeconds: 24 * 3600,
  deleteAfterSeconds: 3600,
} as const satisfies Omit<Queue, 'name'>;

export const QUEUES: Readonly<Record<JobName, Omit<Queue, 'name'>>> = {
  'simulation.execute': HINT,
  'run.advance': HINT,
  'outbox.deliver': HINT,
  'slack.interaction': HINT,
};
