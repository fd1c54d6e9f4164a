import { createHash } from 'node:crypto';

const MOST_CREDENTIALS = 10_000;

/** Which credentials proved good of late, in this process: those that were used longest ago are forgotten first. Only digests are kept. */
export class GoodCredentials {
  readonly #keys = new Set<string>();

  has(token: string): boolean {
    return this.#keys.has(keyOf(token));
  }

  remember(token: string): void {
    const key = keyOf(token);
    this.#keys.delete(key);
    this.#keys.add(key);
    const oldest = this.#keys.keys().next();
    if (this.#keys.size > MOST_CREDENTIALS && oldest.done !== true) this.#keys.delete(oldest.value);
  }

  forget(token: string): void {
    this.#keys.delete(keyOf(token));
  }
}

const keyOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('base64');
