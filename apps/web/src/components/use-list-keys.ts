import { useEffect, useState } from 'react';
import { isTyping } from '../shell/is-typing.js';

/** Whether a key was pressed on the page itself, and on none of its controls. */
const isOnPage = ({ target }: KeyboardEvent): boolean =>
  target === document.body || (target instanceof HTMLElement && target.localName === 'main');

/**
 * j and k move through a list, Enter opens. The chosen row stays chosen if others come in above it.
 *
 * @param keys of the rows, in their order.
 * @returns the row that the keyboard is on, -1 before the first key.
 */
export function useListKeys(keys: readonly string[], open: (index: number) => void): number {
  const [chosen, setChosen] = useState<string | null>(null);
  const current = chosen === null ? -1 : keys.indexOf(chosen);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || keys.length === 0) return;
      if (event.key === 'j') setChosen(keys[Math.min(keys.length - 1, current + 1)] ?? null);
      else if (event.key === 'k') setChosen(keys[Math.max(0, current - 1)] ?? null);
      else if (event.key === 'Enter' && current >= 0 && isOnPage(event)) open(current);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [keys, current, open]);
  return current;
}
