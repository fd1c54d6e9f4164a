import { createHash } from 'node:crypto';

const MAX_CREDENTIALS = 10_000;

/** A fact about each credential that was used of late in this process. The oldest is forgotten first. Only digests are kept. */
export class RecentCredentials<Fact> {
  readonly #facts = new Map<string, Fact>();

  of(token: string): Fact | undefined {
    return this.#facts.get(keyOf(token));
  }

  remember(token: string, fact: Fact): void {
    const key = keyOf(token);
    this.#facts.delete(key);
    this.#facts.set(key, fact);
    const oldest = this.#facts.keys().next();
    if (this.#facts.size > MAX_CREDENTIALS && oldest.done !== true) this.#facts.delete(oldest.value);
  }

  forget(token: string): void {
    this.#facts.delete(keyOf(token));
  }
}

const keyOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('base64');
