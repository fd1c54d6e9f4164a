import { useSyncExternalStore } from 'react';

/** A dialog that an action closes is gone by then: behind an open one, a screen reader hears nothing. */
const AFTER_MS = 150;

let said = '';
const listeners = new Set<() => void>();

function say(text: string): void {
  said = text;
  for (const tell of listeners) tell();
}

/** Has a screen reader read the result of an action aloud, also if it is the same as before. */
export function announce(text: string): void {
  say('');
  setTimeout(() => {
    say(text);
  }, AFTER_MS);
}

const subscribe = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => listeners.delete(tell);
};

/** The latest result; empty before the first one. */
export const useAnnounced = (): string => useSyncExternalStore(subscribe, () => said);
