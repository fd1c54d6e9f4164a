import type { PgBoss } from 'pg-boss';
import { isUuid, type JobName, type TenantId } from '#lib/kernel';

import type { JobHandler, JobWorker } from '../application/database.ports.js';
import type { StoredJob } from './pg-boss-job-queue.js';

/** What a handler threw, for whoever logs it; the job is tried again, and after that the sweeper finds the row. */
export type JobFailureListener = (name: JobName, error: unknown) => void;

/** How many jobs of one kind a process works on at once. */
const CONCURRENCY = 4;
const POLL_SECONDS = 2;
const STOP_TIMEOUT_MS = 20_000;

/** Takes jobs from pg-boss, woken by NOTIFY and polling besides. */
export class PgBossJobWorker implements JobWorker {
  private readonly starts: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly boss: PgBoss,
    private readonly onFailure: JobFailureListener,
  ) {}

  register<Name extends JobName>(name: Name, handler: JobHandler<Name>): void {
    this.starts.push(() =>
      this.boss.work<StoredJob<Name>>(
        name,
        {
          localConcurrency: CONCURRENCY,
          pollingIntervalSeconds: POLL_SECONDS,
          notifyPollingIntervalSeconds: POLL_SECONDS,
        },
        async (jobs) => {
          for (const job of jobs) await this.handle(name, handler, job.data);
        },
      ),
    );
  }

  async start(): Promise<void> {
    for (const start of this.starts) await start();
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
  }

  private async handle<Name extends JobName>(
    name: Name,
    handler: JobHandler<Name>,
    job: StoredJob<Name> | null,
  ): Promise<void> {
    // A hint without a tenant can only be dropped; trying it again would not mend it.
    if (typeof job?.tenant_id !== 'string' || !isUuid(job.tenant_id)) return;
    try {
      await handler(job.tenant_id as TenantId, job.payload);
    } catch (error) {
      this.onFailure(name, error);
      throw error;
    }
  }
}
