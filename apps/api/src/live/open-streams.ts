import { Inject, Injectable } from '@nestjs/common';
import { FailureError, holderIdOf, type Failure, type Principal } from '#lib/kernel';

/** The most streams that are open at once in this process. */
export interface StreamLimits {
  readonly perHolder: number;
  readonly perTenant: number;
}

export const STREAM_LIMITS = Symbol('StreamLimits');
const COME_BACK_SECONDS = 30;

/** How many streams are open, by holder and by tenant. A stream that has ended is counted no more. */
@Injectable()
export class OpenStreams {
  readonly #open = new Map<string, number>();

  constructor(@Inject(STREAM_LIMITS) private readonly limits: StreamLimits) {}

  /**
   * Counts one more stream of the caller.
   *
   * @returns ends it.
   * @throws {FailureError} `events.too_many_streams`, `events.too_many_tenant_streams`.
   */
  take(by: Principal): () => void {
    const holder = by.kind === 'system' ? by.name : holderIdOf(by);
    if (this.#count(holder) >= this.limits.perHolder) throw new FailureError(tooMany('holder', this.limits.perHolder));
    if (this.#count(by.tenantId) >= this.limits.perTenant)
      throw new FailureError(tooMany('tenant', this.limits.perTenant));
    for (const id of [holder, by.tenantId]) this.#open.set(id, this.#count(id) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const id of [holder, by.tenantId]) {
        const others = this.#count(id) - 1;
        if (others === 0) this.#open.delete(id);
        else this.#open.set(id, others);
      }
    };
  }

  #count(id: string): number {
    return this.#open.get(id) ?? 0;
  }
}

const tooMany = (whose: 'holder' | 'tenant', most: number): Failure => ({
  kind: 'rate_limited',
  code: whose === 'holder' ? 'events.too_many_streams' : 'events.too_many_tenant_streams',
  message:
    whose === 'holder'
      ? `You have ${String(most)} event streams open, which is the most.`
      : `Your organisation has ${String(most)} event streams open, which is the most.`,
  action:
    whose === 'holder'
      ? 'Close one, for example a tab that you no longer need.'
      : 'Close some, or ask the operator to raise COUNTERSIGN_STREAMS_PER_TENANT.',
  retryAfterSeconds: COME_BACK_SECONDS,
});
