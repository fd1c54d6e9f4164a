/** A kind of line is told again after so long. */
const AGAIN_MS = 600_000;
/** The most kinds that are told in that time. */
const MAX_KINDS = 20;

/** Numbers and ids, by which lines of one kind differ. */
const VARYING = /[0-9a-f]*[0-9][0-9a-f-]*/gi;

/**
 * Bounds the lines of a library that warns at each attempt. It tells each kind of line once in ten minutes, and at most
 * twenty kinds in that time.
 */
export class ToldLines {
  /** When each kind was told, in epoch milliseconds. */
  readonly #told = new Map<string, number>();
  #leftOut = 0;

  /** @returns how many lines were left out since the last one that was told; null if this line is left out, too. */
  pass(line: string, now: number): number | null {
    for (const [kind, at] of this.#told) if (now - at >= AGAIN_MS) this.#told.delete(kind);
    const kind = line.replaceAll(VARYING, '#');
    if (this.#told.has(kind) || this.#told.size >= MAX_KINDS) {
      this.#leftOut += 1;
      return null;
    }
    this.#told.set(kind, now);
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
