import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from './client.js';

/** The names of the tenant's tools. */
export function useToolNames(): readonly string[] {
  const { data } = useQuery({
    queryKey: ['tools', 'names'],
    queryFn: () => api.get<{ tools: { name: string }[] }>('/v1/tools'),
    staleTime: 300_000,
  });
  return useMemo(() => data?.tools.map(({ name }) => name).sort() ?? [], [data]);
}
