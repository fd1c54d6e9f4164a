import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const each of listeners) each();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * A reading of this device's time in epoch milliseconds, taken every second by one clock for the whole page. Only another reading
 * draws its component again: of a list of moments nearly all stay as they are.
 */
export const useNow = <T extends string | boolean>(read: (now: number) => T): T =>
  useSyncExternalStore(subscribe, () => read(now));
