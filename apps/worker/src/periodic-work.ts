import { setTimeout as delay } from 'node:timers/promises';

export interface PeriodicWorkOptions {
  /** As logs and metrics name it. */
  readonly name: string;
  readonly everyMs: number;
  /** One round; the next begins `everyMs` after it ended. */
  readonly work: () => Promise<unknown>;
  /** Told of every failure; the work goes on. */
  readonly onError: (name: string, error: unknown) => void;
}

/** Repeats work until stopped. A round that fails does not end it. */
export class PeriodicWork {
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(private readonly options: PeriodicWorkOptions) {}

  start(): void {
    this.#running ??= this.#run();
  }

  /** Lets the round under way finish. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { name, everyMs, work, onError } = this.options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await work();
      } catch (error) {
        onError(name, error);
      }
      await delay(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
