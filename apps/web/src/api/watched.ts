import { useSyncExternalStore } from 'react';

/** A value that lives outside React, and draws its readers again. */
export interface Watched<T> {
  set(value: T): void;
  /** A hook: draws again whenever the value changes. */
  use(): T;
}

export function watched<T>(first: T): Watched<T> {
  let value = first;
  const watchers = new Set<() => void>();
  const subscribe = (watcher: () => void): (() => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  };
  return {
    set: (next) => {
      value = next;
      for (const watcher of watchers) watcher();
    },
    use: () => useSyncExternalStore(subscribe, () => value),
  };
}
