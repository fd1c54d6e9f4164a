import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { BudgetRefusal } from '#lib/identity';

const MAX_CREDENTIALS = 10_000;
/** How long a refusal is held back at least, and how many at once. */
const HOLD_MS = 500;
const MAX_HELD = 1_000;

/**
 * Remembers for a moment which credentials have nothing left to spend. So a flood with one of them costs no query and no
 * transaction. Its refusals come slowly: a client that waits for each answer asks a few times a second (T22). Only digests are
 * kept.
 */
@Injectable()
export class SpentCredentials {
  readonly #refused = new Map<string, { readonly budget: BudgetRefusal['budget']; readonly until: number }>();
  #held = 0;

  /** Takes down that the token has nothing left for so many seconds. */
  remember(token: string, { budget, waitSeconds }: BudgetRefusal): void {
    this.#refused.set(keyOf(token), { budget, until: performance.now() + waitSeconds * 1_000 });
    const oldest = this.#refused.keys().next();
    if (this.#refused.size > MAX_CREDENTIALS && oldest.done !== true) this.#refused.delete(oldest.value);
  }

  /** Null if the token may be tried; otherwise, after a pause, why and for how long it may not. */
  async refusal(token: string): Promise<BudgetRefusal | null> {
    if (this.#refused.size === 0) return null;
    const key = keyOf(token);
    const refused = this.#refused.get(key);
    if (refused === undefined) return null;
    const left = refused.until - performance.now();
    if (left <= 0) {
      this.#refused.delete(key);
      return null;
    }
    if (this.#held < MAX_HELD) {
      this.#held += 1;
      // Spread, so that those who were refused together do not come back together.
      await delay(HOLD_MS * (1 + Math.random()), undefined, { ref: false }).finally(() => (this.#held -= 1));
    }
    return { budget: refused.budget, waitSeconds: left / 1_000 };
  }
}

const keyOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('base64');
