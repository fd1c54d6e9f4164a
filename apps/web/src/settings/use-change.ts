import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PathOf } from '#lib/client';
import { readAgain } from '../api/read-again.js';

/** A change of the settings. After it, these paths and those below them are read again. */
export function useChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  ...stale: readonly PathOf<'get'>[]
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => readAgain(queries, ...stale),
  });
}
