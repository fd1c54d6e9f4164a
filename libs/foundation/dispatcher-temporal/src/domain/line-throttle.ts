/** A kind of line is logged again after so long. */
const AGAIN_MS = 600_000;
/** The most kinds that are logged in that time. */
const MAX_KINDS = 20;

/** Numbers and ids, by which lines of one kind differ. */
const VARYING = /[0-9a-f]*[0-9][0-9a-f-]*/gi;

/**
 * Bounds the lines of a library that warns at each attempt. It passes each kind of line once in ten minutes, and at most
 * twenty kinds in that time.
 */
export class LineThrottle {
  /** When each kind was logged, in epoch milliseconds. */
  readonly #logged = new Map<string, number>();
  #leftOut = 0;

  /** @returns how many lines were left out since the last one that was logged; null if this line is left out, too. */
  pass(line: string, now: number): number | null {
    for (const [kind, at] of this.#logged) if (now - at >= AGAIN_MS) this.#logged.delete(kind);
    const kind = line.replaceAll(VARYING, '#');
    if (this.#logged.has(kind) || this.#logged.size >= MAX_KINDS) {
      this.#leftOut += 1;
      return null;
    }
    this.#logged.set(kind, now);
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
