import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

const MOST_CREDENTIALS = 10_000;
/** How long a refusal is held back at least, and how many at once. */
const HOLD_MS = 500;
const MOST_HELD = 1_000;

/**
 * Remembers for a moment which credentials have nothing left to spend, so that a flood with one of them costs no query
 * and no transaction, and its refusals come slowly: whoever waits for an answer before asking again asks a few times a
 * second (T22). Only digests are kept.
 */
@Injectable()
export class SpentCredentials {
  readonly #until = new Map<string, number>();
  #held = 0;

  /** Takes down that the token has nothing left for so many seconds. */
  remember(token: string, seconds: number): void {
    this.#until.set(keyOf(token), performance.now() + seconds * 1_000);
    const oldest = this.#until.keys().next();
    if (this.#until.size > MOST_CREDENTIALS && oldest.done !== true) this.#until.delete(oldest.value);
  }

  /** Null where the token may be tried; otherwise, after a pause, the seconds until it may. */
  async refusal(token: string): Promise<number | null> {
    if (this.#until.size === 0) return null;
    const key = keyOf(token);
    const left = (this.#until.get(key) ?? 0) - performance.now();
    if (left <= 0) {
      this.#until.delete(key);
      return null;
    }
    if (this.#held < MOST_HELD) {
      this.#held += 1;
      // Spread, so that those who were refused together do not come back together.
      await delay(HOLD_MS * (1 + Math.random()), undefined, { ref: false }).finally(() => (this.#held -= 1));
    }
    return left / 1_000;
  }
}

const keyOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('base64');
