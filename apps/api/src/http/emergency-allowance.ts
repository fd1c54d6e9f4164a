import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';

const WINDOW_MS = 60_000;
const MAX_CALLS = 30;
const MAX_HOLDERS = 10_000;

/**
 * The calls of emergency routes that each holder has besides their budget. Halts and break-glass have to work even if a loop has
 * spent it. The loop may be that of the holder, or of others in the tenant. Each process counts for itself, in bounded memory.
 */
@Injectable()
export class EmergencyAllowance {
  readonly #byHolder = new Map<string, { readonly since: number; calls: number }>();

  /** @returns whether the call may go on. */
  take(holderId: string): boolean {
    const now = performance.now();
    const found = this.#byHolder.get(holderId);
    if (found !== undefined && now - found.since < WINDOW_MS) {
      found.calls += 1;
      return found.calls <= MAX_CALLS;
    }
    this.#byHolder.delete(holderId);
    this.#byHolder.set(holderId, { since: now, calls: 1 });
    const oldest = this.#byHolder.keys().next();
    if (this.#byHolder.size > MAX_HOLDERS && oldest.done !== true) this.#byHolder.delete(oldest.value);
    return true;
  }
}
