import { useEffect, useState } from 'react';
import { isTyping } from '../shell/is-typing.js';

/** j and k move through a list, Enter opens. @returns the row that the keyboard is on, -1 before the first key. */
export function useListKeys(count: number, open: (index: number) => void): number {
  const [current, setCurrent] = useState(-1);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTyping(event) || count === 0) return;
      if (event.key === 'j') setCurrent((index) => Math.min(count - 1, index + 1));
      else if (event.key === 'k') setCurrent((index) => Math.max(0, index - 1));
      else if (event.key === 'Enter' && current >= 0 && event.target === document.body) open(current);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [count, current, open]);
  return Math.min(current, count - 1);
}
