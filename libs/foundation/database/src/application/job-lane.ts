import type { TenantId } from '#lib/kernel';

/** One row to work on. */
export interface Job {
  readonly tenantId: TenantId;
  readonly id: string;
  /** The trace that caused it (W3C `traceparent`); null if none is known. */
  readonly trace: string | null;
  /** Whether a hint named it; false if a look found its row due. */
  readonly hinted: boolean;
}

/** A job under way, and the hint that came meanwhile. */
interface Running {
  readonly tenantId: TenantId;
  again: Job | null;
}

/** A job that failed: from when a look may find it again, and how often it failed in a row. */
interface Failed {
  readonly until: number;
  readonly failures: number;
}

export interface LaneLimits {
  /** Jobs under way at the same time. */
  readonly atOnce: number;
  /** Jobs of one tenant that wait here; the others stay in the database. */
  readonly waitingOfTenant: number;
  /** Jobs of all tenants that wait here. */
  readonly waiting: number;
}

/** How long a job rests that failed; doubled for each failure in a row. */
const FIRST_REST_MS = 1_000;
const MAX_REST_MS = 60_000;
/** One tenant leaves so much of a lane to the others, even if they have nothing to do. */
const LEFT_TO_OTHERS = 1 / 4;

/**
 * The jobs of one kind in one process: those that wait, those under way, and those that rest. The tenant with the fewest jobs under
 * way comes next, so a loud tenant delays only itself.
 */
export class JobLane {
  readonly #waiting = new Map<TenantId, Map<string, Job>>();
  readonly #running = new Map<string, Running>();
  readonly #runningOf = new Map<TenantId, number>();
  /** Worked on since the last round. */
  readonly #done = new Set<string>();
  readonly #failed = new Map<string, Failed>();
  #waits = 0;

  constructor(private readonly limits: LaneLimits) {}

  get waiting(): number {
    return this.#waits;
  }

  /** Whether no tenant's job finds room any more. */
  get full(): boolean {
    return this.#waits >= this.limits.waiting;
  }

  get running(): number {
    return this.#running.size;
  }

  /** A hint says that the job is due now. @returns false if it finds no room: a look has to find its row. */
  hint(job: Job): boolean {
    const running = this.#running.get(job.id);
    if (running === undefined) return this.#wait(job);
    running.again = job;
    return true;
  }

  /** A look found the job. One that is under way, or rests, is left alone. @returns false if it finds no room. */
  found(job: Job, now: number): boolean {
    const rests = this.#done.has(job.id) || (this.#failed.get(job.id)?.until ?? 0) > now;
    return this.#running.has(job.id) || rests || this.#wait(job);
  }

  /** Begins a round: a row that is still due, though it was worked on, is worked on once a round. */
  beginRound(): void {
    this.#done.clear();
  }

  /** The next job to work on, which is under way from now; null if none waits or there is no room. */
  take(): Job | null {
    const tenantId = this.#running.size < this.limits.atOnce ? this.#next() : null;
    const jobs = tenantId === null ? undefined : this.#waiting.get(tenantId);
    const job = jobs?.values().next().value;
    if (tenantId === null || jobs === undefined || job === undefined) return null;
    jobs.delete(job.id);
    this.#waits -= 1;
    // Behind the others: among tenants with equally many jobs under way each has its turn.
    this.#waiting.delete(tenantId);
    if (jobs.size > 0) this.#waiting.set(tenantId, jobs);
    this.#running.set(job.id, { tenantId, again: null });
    this.#runningOf.set(tenantId, (this.#runningOf.get(tenantId) ?? 0) + 1);
    return job;
  }

  /** Ends a job that {@link take} returned. It waits again at once if a hint came meanwhile. */
  done(id: string, failed: boolean, now: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    const left = (this.#runningOf.get(running.tenantId) ?? 1) - 1;
    if (left > 0) this.#runningOf.set(running.tenantId, left);
    else this.#runningOf.delete(running.tenantId);
    this.#done.add(id);
    const failures = (this.#failed.get(id)?.failures ?? 0) + 1;
    const restMs = Math.min(MAX_REST_MS, FIRST_REST_MS * 2 ** (failures - 1));
    if (failed) this.#failed.set(id, { until: now + restMs, failures });
    else this.#failed.delete(id);
    if (running.again !== null) this.#wait(running.again);
  }

  /** Ids that a look need not return, and tenants of which enough wait here. */
  held(now: number): { readonly ids: readonly string[]; readonly fullTenants: readonly TenantId[] } {
    const ids = [...this.#running.keys()];
    const fullTenants: TenantId[] = [];
    for (const [tenantId, jobs] of this.#waiting) {
      if (jobs.size >= this.limits.waitingOfTenant) fullTenants.push(tenantId);
      else ids.push(...jobs.keys());
    }
    ids.push(...this.#done);
    for (const [id, { until }] of this.#failed) {
      if (until > now) ids.push(id);
      // A row that fails forever is found again long before; this one is gone, or another worker has it.
      else if (until + MAX_REST_MS <= now) this.#failed.delete(id);
    }
    return { ids, fullTenants };
  }

  /** Forgets everything that waits. */
  clear(): void {
    this.#waiting.clear();
    this.#waits = 0;
  }

  #wait(job: Job): boolean {
    const jobs = this.#waiting.get(job.tenantId) ?? new Map<string, Job>();
    if (jobs.has(job.id)) {
      if (job.hinted) jobs.set(job.id, job);
      return true;
    }
    if (jobs.size >= this.limits.waitingOfTenant || this.full) return false;
    jobs.set(job.id, job);
    this.#waiting.set(job.tenantId, jobs);
    this.#waits += 1;
    return true;
  }

  #next(): TenantId | null {
    const mostOfOne = Math.max(1, this.limits.atOnce - Math.floor(this.limits.atOnce * LEFT_TO_OTHERS));
    let next: TenantId | null = null;
    let fewest = mostOfOne;
    for (const tenantId of this.#waiting.keys()) {
      const running = this.#runningOf.get(tenantId) ?? 0;
      if (running >= fewest) continue;
      next = tenantId;
      fewest = running;
      if (running === 0) break;
    }
    return next;
  }
}
