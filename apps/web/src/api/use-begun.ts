import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/**
 * A POST that a page sends as it opens, once for each `key`. A query would send it again after each lost stream of events,
 * and each would void the one before.
 */
export function useBegun<Answer>(key: string, begin: () => Promise<Answer>): UseMutationResult<Answer, Error, void> {
  const begun = useMutation({ mutationFn: begin });
  const last = useRef<string | null>(null);
  const { mutate } = begun;
  useEffect(() => {
    if (last.current === key) return;
    last.current = key;
    mutate();
  }, [key, mutate]);
  return begun;
}
