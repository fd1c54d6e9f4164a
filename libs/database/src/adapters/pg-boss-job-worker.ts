import type { PgBoss } from 'pg-boss';
import { isUuid, type JobName, type TenantId } from '#lib/kernel';
import { continueTrace } from '#lib/tracing';

import type { JobHandler, JobWorker } from '../application/database.ports.js';
import { JOB_CHANNEL, type StoredJob } from './pg-boss-job-queue.js';
import type { PgNotifications } from './pg-notifications.js';

/** What a handler threw, for whoever logs it; the job is tried again, and after that the sweeper finds the row. */
export type JobFailureListener = (name: JobName, error: unknown) => void;

/** How many jobs of one kind a process works on at once. */
const CONCURRENCY = 4;
const POLL_SECONDS = 2;
const STOP_TIMEOUT_MS = 20_000;

/** One loop of pg-boss that takes jobs of one kind, one at a time. */
interface Taker {
  /** pg-boss's own. */
  readonly id: string;
  busy: boolean;
  /** How often it was woken since it last began a job. */
  woken: number;
}

/**
 * Takes jobs from pg-boss, woken by NOTIFY and polling besides. A notification wakes one taker that is free, and whoever has
 * ended a job looks for the next: so one job is looked for by one, and what has piled up is worked off without a pause.
 */
export class PgBossJobWorker implements JobWorker {
  private readonly starts: (() => Promise<void>)[] = [];
  /** By the jobs' name; in front whoever was woken longest ago. */
  private readonly takers = new Map<string, Taker[]>();
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly boss: PgBoss,
    private readonly notifications: Pick<PgNotifications, 'subscribe'>,
    private readonly onFailure: JobFailureListener,
  ) {}

  register<Name extends JobName>(name: Name, handler: JobHandler<Name>): void {
    this.starts.push(async () => {
      const takers: Taker[] = [];
      this.takers.set(name, takers);
      for (let each = 0; each < CONCURRENCY; each += 1) {
        let taker: Taker | null = null;
        const id = await this.boss.work<StoredJob<Name>>(
          name,
          { pollingIntervalSeconds: POLL_SECONDS },
          async (jobs) => {
            if (taker !== null) this.begin(name, taker);
            try {
              for (const job of jobs) await this.handle(name, handler, job.data);
            } finally {
              if (taker !== null) {
                taker.busy = false;
                this.boss.notifyWorker(taker.id);
              }
            }
          },
        );
        taker = { id, busy: false, woken: 0 };
        takers.push(taker);
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

  /** One that is free, of those that take jobs of this name; all of them where a notification may have been missed. */
  private wake(name: string | null): void {
    if (name === null) {
      for (const { id } of [...this.takers.values()].flat()) this.boss.notifyWorker(id);
      return;
    }
    const takers = this.takers.get(name) ?? [];
    const free = takers.findIndex(({ busy }) => !busy);
    // Where nobody is free, whoever ends a job first looks for this one.
    if (free === -1) return;
    for (const taker of takers.splice(free, 1)) {
      takers.push(taker);
      taker.woken += 1;
      this.boss.notifyWorker(taker.id);
    }
  }

  /** Woken for more than the one job that it has now, it wakes another in its stead. */
  private begin(name: string, taker: Taker): void {
    const { woken } = taker;
    Object.assign(taker, { busy: true, woken: 0 });
    if (woken > 1) this.wake(name);
  }

  private async handle<Name extends JobName>(
    name: Name,
    handler: JobHandler<Name>,
    job: StoredJob<Name> | null,
  ): Promise<void> {
    // A hint without a tenant can only be dropped; trying it again would not mend it.
    if (typeof job?.tenant_id !== 'string' || !isUuid(job.tenant_id)) return;
    try {
      const facts = { 'countersign.job': name, 'countersign.tenant_id': job.tenant_id };
      await continueTrace(`job ${name}`, job.trace_parent ?? null, facts, () =>
        handler(job.tenant_id as TenantId, job.payload),
      );
    } catch (error) {
      this.onFailure(name, error);
      throw error;
    }
  }
}
