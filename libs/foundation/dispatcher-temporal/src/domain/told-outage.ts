/** An outage that lasts is told again after so long. */
const AGAIN_MS = 600_000;

/** Tells each reason of an outage once, and seldom again while it lasts: the connection is tried again every second. */
export class ToldOutage {
  /** When each reason was told, in epoch milliseconds. */
  readonly #told = new Map<string, number>();

  /** Whether to tell this reason now. Then it counts as told. */
  isNews(reason: string, now: number): boolean {
    for (const [each, at] of this.#told) if (now - at >= AGAIN_MS) this.#told.delete(each);
    if (this.#told.has(reason)) return false;
    this.#told.set(reason, now);
    return true;
  }

  /** @returns whether there was an outage. */
  end(): boolean {
    const was = this.#told.size > 0;
    this.#told.clear();
    return was;
  }
}
