/** Lets one caller wait until another wakes it. A wake while nobody waits is kept for the next wait. */
export class WakeSignal {
  #woken = false;
  #resume: (() => void) | null = null;

  constructor(private readonly over: AbortSignal) {
    over.addEventListener('abort', () => {
      this.#resume?.();
    });
  }

  wake(): void {
    this.#woken = true;
    this.#resume?.();
  }

  /** Whether it was woken within the time. */
  async wait(withinMs: number): Promise<boolean> {
    if (!this.#woken && !this.over.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#resume = null;
    }
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }
}
