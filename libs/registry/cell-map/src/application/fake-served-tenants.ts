import type { Served, ServedTenants } from './cell-map.ports.js';

/** A cell in memory, as its database tells of its tenants. */
export class FakeServedTenants implements ServedTenants {
  served: Served = { tenants: [], teams: [] };
  /** Thrown by each reading; null if the cell answers. */
  failure: Error | null = null;
  /** How often it was read. */
  readings = 0;
  /** Awaited by each reading. */
  answers: Promise<void> = Promise.resolve();
  #changed: (() => void) | null = null;

  async read(): Promise<Served> {
    this.readings += 1;
    await this.answers;
    if (this.failure !== null) throw this.failure;
    return this.served;
  }

  watch(_from: string, changed: () => void): () => Promise<void> {
    this.#changed = changed;
    return () => {
      this.#changed = null;
      return Promise.resolve();
    };
  }

  get isWatched(): boolean {
    return this.#changed !== null;
  }

  /** Tells that something changed, if somebody listens. */
  tell(): void {
    this.#changed?.();
  }
}
