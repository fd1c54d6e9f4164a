/** A commit that takes longer than this waits for a standby that is gone, not for a slow one; in milliseconds. */
export const LATE_COMMIT_MS = 2_000;

/** Ends the commit's turn. */
export type EndCommit = () => void;

/**
 * The commits of a process that are under way, up to a bound. A commit may wait for a synchronous standby for ever, and keeps its connection
 * meanwhile; the bound leaves connections for work that waits for no standby.
 */
export class CommitTurns {
  /** When each began, the oldest first. */
  readonly #begun = new Map<object, number>();
  readonly #waiting: ((end: EndCommit) => void)[] = [];

  /** @param now a clock in milliseconds that never goes back. */
  constructor(
    private readonly most: number,
    private readonly now: () => number,
    private readonly lateMs: number = LATE_COMMIT_MS,
  ) {}

  /** How many have taken so long that their standby must be gone. */
  get late(): number {
    const before = this.now() - this.lateMs;
    return [...this.#begun.values()].filter((at) => at < before).length;
  }

  /** A turn without waiting; null if none is free. */
  take(): EndCommit | null {
    return this.#begun.size < this.most ? this.#begin() : null;
  }

  /** The next free turn. Null if the oldest commit is late already, or if none becomes free for as long. */
  async wait(): Promise<EndCommit | null> {
    const free = this.take();
    if (free !== null || this.late > 0) return free;
    return new Promise((resolve) => {
      const take = (end: EndCommit): void => {
        clearTimeout(timer);
        resolve(end);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        resolve(null);
      }, this.lateMs);
      this.#waiting.push(take);
    });
  }

  #begin(): EndCommit {
    const turn = {};
    this.#begun.set(turn, this.now());
    return () => {
      if (this.#begun.delete(turn)) this.#waiting.shift()?.(this.#begin());
    };
  }
}
