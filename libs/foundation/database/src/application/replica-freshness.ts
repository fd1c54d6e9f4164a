import type { TenantId } from '#lib/kernel';

/** A replica that is further behind is not read from, in milliseconds. */
export const MAX_BEHIND_MS = 5_000;

/** Samples of the primary that a replica has yet to reach; more are forgotten, the oldest first. */
const MAX_SAMPLES = 64;

interface Sample {
  /** When it was asked for, on this process's clock in milliseconds. */
  readonly at: number;
  /** The position in the log by then. */
  readonly position: bigint;
}

/**
 * How much of the past a replica shows. The primary's position is noted now and then; once the replica has replayed up to it, the
 * replica shows every commit from before the note.
 */
export class ReplicaFreshness {
  #samples: Sample[] = [];
  #freshAt = -Infinity;
  readonly #wrote = new Map<TenantId, number>();

  /** The primary's position, asked for at `at`. */
  sampled(at: number, position: bigint): void {
    this.#samples.push({ at, position });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
  }

  /** The replica has replayed up to here. */
  replayed(position: bigint): void {
    const reached = this.#samples.findLast((sample) => sample.position <= position);
    if (reached === undefined) return;
    this.#freshAt = reached.at;
    this.#samples = this.#samples.filter(({ at }) => at > reached.at);
    for (const [tenantId, at] of this.#wrote) if (at < reached.at) this.#wrote.delete(tenantId);
  }

  /** A transaction of the tenant was committed by this process. */
  wrote(tenantId: TenantId, at: number): void {
    this.#wrote.set(tenantId, at);
  }

  /** Nothing is known of the replica any more. */
  lost(): void {
    this.#freshAt = -Infinity;
    this.#samples = [];
  }

  /** Whether it is not too far behind. */
  isFresh(now: number): boolean {
    return now - this.#freshAt <= MAX_BEHIND_MS;
  }

  /** Whether a read of the tenant at the replica shows what this process wrote, and is not too far behind. */
  shows(tenantId: TenantId, now: number): boolean {
    return this.isFresh(now) && (this.#wrote.get(tenantId) ?? -Infinity) < this.#freshAt;
  }
}
