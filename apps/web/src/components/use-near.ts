import { useEffect, useRef, useState, type RefObject } from 'react';

/** So far outside the window counts as near: it is read before a reader has scrolled there. */
const MARGIN = '800px';

/** Whether an element is, or was, near the window. Content that costs a request waits for it in a long list. */
export function useNear<E extends Element>(): readonly [ref: RefObject<E | null>, near: boolean] {
  const ref = useRef<E>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || ref.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(ref.current);
    return () => {
      observer.disconnect();
    };
  }, [near]);
  return [ref, near];
}
