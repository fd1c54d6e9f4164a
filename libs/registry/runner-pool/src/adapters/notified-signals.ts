import type { RunnerSignals, RunnerWake } from '../application/runner.ports.js';

/** The part of the database that tells of notifications; a null payload says that some may have been missed. */
export interface Notifications {
  subscribe(channel: string, listener: (payload: string | null) => void): () => void;
}

/** Written by the triggers of runner_dispatch, and by a revocation. */
export const RUNNER_CHANNEL = 'countersign_runner';

/** Signals by NOTIFY, over the one listening connection of the process. */
export class NotifiedSignals implements RunnerSignals {
  readonly #wakes = new Map<string, Set<Wake>>();
  #stop: (() => void) | null = null;

  constructor(private readonly notifications: Notifications) {}

  listen(topic: string): RunnerWake {
    this.#stop ??= this.notifications.subscribe(RUNNER_CHANNEL, (payload) => {
      this.#pass(payload);
    });
    const wake = new Wake(() => {
      const wakes = this.#wakes.get(topic);
      wakes?.delete(wake);
      if (wakes?.size === 0) this.#wakes.delete(topic);
      if (this.#wakes.size === 0) this.#leave();
    });
    this.#wakes.set(topic, (this.#wakes.get(topic) ?? new Set()).add(wake));
    return wake;
  }

  /** The connection may outlive those who listen: it keeps no listener for nobody. */
  #leave(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #pass(payload: string | null): void {
    const told = payload === null ? [...this.#wakes.values()] : [this.#wakes.get(payload) ?? new Set<Wake>()];
    for (const wakes of told) for (const wake of wakes) wake.tell();
  }
}

class Wake implements RunnerWake {
  /** Whether something happened that no wait has seen yet. */
  #told = false;
  #resolve: (() => void) | null = null;

  constructor(readonly close: () => void) {}

  tell(): void {
    this.#told = true;
    this.#resolve?.();
  }

  async next(ms: number, signal?: AbortSignal): Promise<void> {
    if (!this.#told && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        const end = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        this.#resolve = end;
        signal?.addEventListener('abort', end, { once: true });
      });
      this.#resolve = null;
    }
    this.#told = false;
  }
}
