import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A change of the settings: whatever is shown of these queries is read again after it. */
export function useChange<Input, Answer>(change: (input: Input) => Promise<Answer>, ...stale: readonly string[]) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}
