import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/**
 * What a page begins by a POST as it opens: once for each `key`. A query would send it again whenever the stream of events
 * was lost, and end what the first one began.
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
