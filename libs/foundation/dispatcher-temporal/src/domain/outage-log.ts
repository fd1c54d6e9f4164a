/** An outage that lasts is logged again after so long. */
const AGAIN_MS = 600_000;

/** Logs each reason of an outage once, and seldom again while it lasts: the connection is tried again every second. */
export class OutageLog {
  /** When each reason was logged, in epoch milliseconds. */
  readonly #logged = new Map<string, number>();

  /** Whether to log this reason now. Then it counts as logged. */
  isNews(reason: string, now: number): boolean {
    for (const [each, at] of this.#logged) if (now - at >= AGAIN_MS) this.#logged.delete(each);
    if (this.#logged.has(reason)) return false;
    this.#logged.set(reason, now);
    return true;
  }

  /** @returns whether there was an outage. */
  end(): boolean {
    const was = this.#logged.size > 0;
    this.#logged.clear();
    return was;
  }
}
