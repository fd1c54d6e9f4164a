import type { RunId, TenantId } from '#lib/kernel';
import type { Again } from '#lib/run';
import { continueTrace, inSpan, traced, tracing } from '#lib/tracing';

/** Advances one run by one thing. */
export interface RunAdvancer {
  execute(tenantId: TenantId, runId: RunId): Promise<Again>;
}

export interface RunDriverOptions {
  /** Most runs that one process drives at a time; the others are found again by the sweeper. */
  readonly atMost: number;
  /** The trace that a run is part of, for one that was found without whoever wakes it knowing; null where there is none. */
  readonly traceOf: (tenantId: TenantId, runId: RunId) => Promise<string | null>;
  readonly onError: (runId: RunId, error: unknown) => void;
}

/**
 * Drives runs in this process: each is advanced for as long as there is something to do at once. Waking it is only a hint
 * and costs nothing; a run that was missed, or whose driver died, is due again by its row.
 */
export class RunDriver {
  readonly #driven = new Map<RunId, Promise<void>>();
  readonly #wokenAgain = new Set<RunId>();
  #stopping = false;

  constructor(
    private readonly advancer: RunAdvancer,
    private readonly options: RunDriverOptions,
  ) {}

  /** How many runs are driven now. */
  get driven(): number {
    return this.#driven.size;
  }

  wake(tenantId: TenantId, runId: RunId): void {
    if (this.#driven.has(runId)) {
      this.#wokenAgain.add(runId);
      return;
    }
    if (this.#stopping || this.#driven.size >= this.options.atMost) return;
    const driving = this.#traced(tenantId, runId).finally(() => this.#driven.delete(runId));
    this.#driven.set(runId, driving);
  }

  /** Begins nothing more, and lets what is out come back; after `withinMs` it is left to its lease. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping = true;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([Promise.allSettled(this.#driven.values()), tooLong]);
    clearTimeout(timer);
  }

  /** A run that a job woke goes on in the job's trace; one that was found goes on in the one it was made in, if any. */
  async #traced(tenantId: TenantId, runId: RunId): Promise<void> {
    const facts = { 'countersign.run_id': runId, 'countersign.tenant_id': tenantId };
    const drive = (): Promise<void> => this.#drive(tenantId, runId);
    if (tracing()) return inSpan('drive run', 'part', facts, drive);
    if (!traced()) return drive();
    const parent = await this.options.traceOf(tenantId, runId).catch(() => null);
    return parent === null ? drive() : continueTrace('drive run', parent, facts, drive);
  }

  async #drive(tenantId: TenantId, runId: RunId): Promise<void> {
    try {
      let more = true;
      while (more && !this.#stopping) {
        this.#wokenAgain.delete(runId);
        const again = await this.advancer.execute(tenantId, runId);
        more = again.when === 'now' || this.#wokenAgain.has(runId);
      }
    } catch (error) {
      this.options.onError(runId, error);
    } finally {
      this.#wokenAgain.delete(runId);
    }
  }
}
