import type { PgBoss } from 'pg-boss';
import { isUuid, type JobName, type TenantId } from '#lib/kernel';

import type { JobHandler, JobWorker } from '../application/database.ports.js';
import { JOB_CHANNEL, type StoredJob } from './pg-boss-job-queue.js';
import type { PgNotifications } from './pg-notifications.js';

/** What a handler threw, for whoever logs it; the job is tried again, and after that the sweeper finds the row. */
export type JobFailureListener = (name: JobName, error: unknown) => void;

/** How many jobs of one kind a process works on at once. */
const CONCURRENCY = 4;
const POLL_SECONDS = 2;
const STOP_TIMEOUT_MS = 20_000;

/** Takes jobs from pg-boss, woken by NOTIFY and polling besides. */
export class PgBossJobWorker implements JobWorker {
  private readonly starts: (() => Promise<void>)[] = [];
  /** pg-boss's own ids of what takes jobs, by the jobs' name. */
  private readonly takers = new Map<string, string[]>();
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly boss: PgBoss,
    private readonly notifications: Pick<PgNotifications, 'subscribe'>,
    private readonly onFailure: JobFailureListener,
  ) {}

  register<Name extends JobName>(name: Name, handler: JobHandler<Name>): void {
    this.starts.push(async () => {
      const takers: string[] = [];
      this.takers.set(name, takers);
      for (let taker = 0; taker < CONCURRENCY; taker += 1) {
        takers.push(
          await this.boss.work<StoredJob<Name>>(name, { pollingIntervalSeconds: POLL_SECONDS }, async (jobs) => {
            for (const job of jobs) await this.handle(name, handler, job.data);
          }),
        );
      }
    });
  }

  async start(): Promise<void> {
    for (const start of this.starts) await start();
    this.unsubscribe = this.notifications.subscribe(JOB_CHANNEL, (name) => {
      this.wake(name);
    });
  }

  async stop(): Promise<void> {
    this.unsubscribe();
    await this.boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
  }

  /** Those that take jobs of this name, or all of them where a notification may have been missed. */
  private wake(name: string | null): void {
    const woken = name === null ? [...this.takers.values()].flat() : (this.takers.get(name) ?? []);
    for (const taker of woken) this.boss.notifyWorker(taker);
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
