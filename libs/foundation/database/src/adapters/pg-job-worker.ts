import { isUuid, type JobName, type TenantId } from '#lib/kernel';
import { continueTrace } from '#lib/tracing';

import {
  type DueJob,
  type JobHandler,
  type JobOptions,
  type JobStart,
  type JobWorker,
  LOOK_MS,
} from '../application/database.ports.js';
import { JobLane, type Job } from '../application/job-lane.js';
import type { HeldJobs } from './due-jobs.js';
import { JOB_CHANNEL } from './pg-job-queue.js';
import type { PgNotifications } from './pg-notifications.js';

/** Rows of one kind that a look returns. */
const LOOK_ROWS = 100;
const AT_ONCE = 4;
const WAITING_OF_TENANT = 50;
const WAITING = 1_000;
const STOP_WITHIN_MS = 20_000;
const MAX_TIMER_MS = 60_000;

interface Kind {
  readonly handler: JobHandler;
  readonly lane: JobLane;
  /** Whether rows may be due that found no room here. */
  more: boolean;
}

/**
 * Works on due jobs. NOTIFY names a row and starts its job at once; a look over all kinds finds every row that no hint
 * named. It comes once a second and whenever the listening connection was lost. Any number of workers may run. The
 * handler takes the row under a lock, and a later worker finds nothing to do.
 */
export class PgJobWorker implements JobWorker {
  readonly #kinds = new Map<JobName, Kind>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #working = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #unsubscribe: () => void = () => undefined;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #nextRound: NodeJS.Timeout | undefined;
  #start: JobStart = { lookMs: LOOK_MS, onFailure: () => undefined };

  constructor(
    private readonly due: (most: number, held: readonly HeldJobs[]) => Promise<readonly DueJob[]>,
    private readonly notifications: Pick<PgNotifications, 'subscribe'>,
    private readonly heldTenants: () => ReadonlySet<TenantId> = () => new Set(),
  ) {}

  register(name: JobName, handler: JobHandler, { atOnce = AT_ONCE }: JobOptions = {}): void {
    const lane = new JobLane({ atOnce, waitingOfTenant: WAITING_OF_TENANT, waiting: WAITING });
    this.#kinds.set(name, { handler, lane, more: false });
  }

  start(start: JobStart): void {
    this.#start = start;
    this.#unsubscribe = this.notifications.subscribe(JOB_CHANNEL, (payload) => {
      if (payload === null) this.#look();
      else this.#hint(payload);
    });
    this.#round();
  }

  underWay(name: JobName): number {
    return this.#kinds.get(name)?.lane.running ?? 0;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    clearTimeout(this.#nextRound);
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { lane } of this.#kinds.values()) lane.clear();
    let tooLong: NodeJS.Timeout | undefined;
    await Promise.race([
      Promise.allSettled([...this.#working, this.#looking]),
      new Promise<void>((resolve) => (tooLong = setTimeout(resolve, STOP_WITHIN_MS))),
    ]);
    clearTimeout(tooLong);
  }

  /** Anybody with a login can send a notification: one that makes no sense is dropped. */
  #hint(payload: string): void {
    const [name, tenantId, id, trace = null] = payload.split(' ');
    // A name of no job finds no kind.
    const kind = this.#kinds.get(name as JobName);
    if (kind === undefined || tenantId === undefined || id === undefined || !isUuid(tenantId) || !isUuid(id)) return;
    // The name has a kind, and both ids have the form of one.
    this.#add(name as JobName, kind, { tenantId: tenantId as TenantId, id, trace, hinted: true });
  }

  #add(name: JobName, kind: Kind, job: Job): void {
    // The row of a tenant that moves stays due.
    if (this.#stopping.signal.aborted || this.heldTenants().has(job.tenantId)) return;
    if (!kind.lane.hint(job)) kind.more = true;
    this.#work(name, kind);
  }

  /** A round: a look now, and the next round a while later. */
  #round(): void {
    for (const { lane } of this.#kinds.values()) lane.beginRound();
    this.#look();
    this.#nextRound = setTimeout(() => {
      this.#round();
    }, this.#start.lookMs);
  }

  /** Begins a look; one that is asked for during a look follows it. */
  #look(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#looking !== null) {
      this.#lookAgain = true;
      return;
    }
    this.#lookAgain = false;
    this.#looking = this.#find()
      .catch((error: unknown) => {
        this.#start.onFailure(null, error);
      })
      .finally(() => {
        this.#looking = null;
        if (this.#lookAgain) this.#look();
      });
  }

  async #find(): Promise<void> {
    const now = Date.now();
    const kinds = [...this.#kinds].filter(([, { lane }]) => !lane.full);
    if (kinds.length === 0) return;
    const held = kinds.map(([name, kind]) => {
      const { ids, fullTenants } = kind.lane.held(now);
      kind.more = fullTenants.length > 0;
      return { name, ids, fullTenants: [...fullTenants, ...this.heldTenants()] };
    });
    const rows = await this.due(LOOK_ROWS, held);
    if (this.#stopping.signal.aborted) return;
    for (const [name, kind] of kinds) {
      const found = rows.filter((row) => row.name === name);
      for (const { tenantId, id } of found) {
        if (!kind.lane.found({ tenantId, id, trace: null, hinted: false }, now)) kind.more = true;
      }
      // The oldest rows may all be of one tenant; the next look leaves out a tenant that has enough.
      if (found.length === LOOK_ROWS) this.#lookAgain = true;
      this.#work(name, kind);
    }
  }

  #work(name: JobName, kind: Kind): void {
    // A job that was hinted at while it was under way waits again, and would begin after the stop.
    if (this.#stopping.signal.aborted) return;
    for (let job = kind.lane.take(); job !== null; job = kind.lane.take()) {
      const working = this.#handle(name, kind, job).finally(() => {
        this.#working.delete(working);
        if (kind.more && kind.lane.waiting < WAITING_OF_TENANT / 2) this.#look();
        this.#work(name, kind);
      });
      this.#working.add(working);
    }
  }

  async #handle(name: JobName, kind: Kind, job: Job): Promise<void> {
    const { tenantId, id, trace, hinted } = job;
    const { signal } = this.#stopping;
    const { heldTenants } = this;
    const turn = {
      hinted,
      get over(): boolean {
        return signal.aborted || kind.lane.waiting > 0 || heldTenants().has(tenantId);
      },
    };
    const work = (): Promise<number | null> => kind.handler(tenantId, id, turn);
    let againInMs: number | null = null;
    let failed = false;
    try {
      const facts = { 'countersign.job': name, 'countersign.tenant_id': tenantId };
      againInMs = await (trace === null ? work() : continueTrace(`job ${name}`, trace, facts, work));
    } catch (error) {
      failed = true;
      this.#start.onFailure({ name, tenantId, id }, error);
    }
    kind.lane.done(id, failed, Date.now());
    if (againInMs !== null) this.#later(name, kind, job, againInMs);
  }

  #later(name: JobName, kind: Kind, job: Job, inMs: number): void {
    if (inMs <= 0) {
      this.#add(name, kind, job);
      return;
    }
    // A look finds a job with a longer wait.
    if (inMs > MAX_TIMER_MS || this.#stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#add(name, kind, job);
    }, inMs);
    this.#timers.add(timer);
  }
}
