/** Lets one wait until another rings. A ring while none waits is not lost. */
export class Doorbell {
  #rung = false;
  #answer: (() => void) | null = null;

  constructor(private readonly over: AbortSignal) {
    over.addEventListener('abort', () => {
      this.#answer?.();
    });
  }

  ring(): void {
    this.#rung = true;
    this.#answer?.();
  }

  /** Whether it rang within the time. */
  async wait(withinMs: number): Promise<boolean> {
    if (!this.#rung && !this.over.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#answer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#answer = null;
    }
    const rung = this.#rung;
    this.#rung = false;
    return rung;
  }
}
