import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';

const WINDOW_MS = 60_000;
const MOST_FAILURES = 30;
const MOST_ADDRESSES = 10_000;

interface Failures {
  readonly since: number;
  count: number;
}

/**
 * Slows down an address that keeps presenting credentials that do not exist. Counted in each process: tokens carry 256
 * random bits, so this protects the database from the look-ups, not the tokens from being guessed. Memory is bounded: the oldest
 * address is forgotten first.
 */
@Injectable()
export class FailedSignIns {
  readonly #byAddress = new Map<string, Failures>();

  /** Seconds until the address may try again, or null. */
  blockedFor(address: string, now = performance.now()): number | null {
    const failures = this.#byAddress.get(address);
    if (failures === undefined || failures.count < MOST_FAILURES) return null;
    const left = failures.since + WINDOW_MS - now;
    if (left > 0) return left / 1_000;
    this.#byAddress.delete(address);
    return null;
  }

  count(address: string, now = performance.now()): void {
    const failures = this.#byAddress.get(address);
    if (failures !== undefined && now - failures.since < WINDOW_MS) {
      failures.count += 1;
      return;
    }
    this.#byAddress.delete(address);
    this.#byAddress.set(address, { since: now, count: 1 });
    const oldest = this.#byAddress.keys().next();
    if (this.#byAddress.size > MOST_ADDRESSES && oldest.done !== true) this.#byAddress.delete(oldest.value);
  }
}
