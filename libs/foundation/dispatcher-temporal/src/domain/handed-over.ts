/** The first time that a look leaves a run alone after it was handed over; doubled each time it is found again. */
const FIRST_MS = 15_000;
const MAX_MS = 240_000;
/** More than so many are looked through for those that are over. */
const MANY = 10_000;

interface Entry {
  readonly until: number;
  readonly leftAloneMs: number;
}

/**
 * The runs that this process handed over lately. Their workflows are at work, or wait in a full queue, which more signals would fill
 * further. If it forgets, a run gets one signal more.
 */
export class HandedOver {
  readonly #entries = new Map<string, Entry>();

  /** @param full whether runs may wait in the queue: one of them is left alone for the longest time. */
  leftAlone(id: string, now: number, full: boolean): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    return now < (full ? entry.until - entry.leftAloneMs + MAX_MS : entry.until);
  }

  note(id: string, now: number): void {
    const last = this.#entries.get(id);
    // A run that was not due for as long again has gone on meanwhile.
    const again = last !== undefined && last.until <= now && now < last.until + last.leftAloneMs;
    const leftAloneMs = again ? Math.min(MAX_MS, last.leftAloneMs * 2) : FIRST_MS;
    if (this.#entries.size >= MANY) {
      for (const [other, { until }] of this.#entries) if (until <= now) this.#entries.delete(other);
    }
    this.#entries.set(id, { until: now + leftAloneMs, leftAloneMs });
  }
}
