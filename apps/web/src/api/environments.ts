import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from './client.js';

interface Environment {
  readonly name: string;
  readonly production: boolean;
}

/** The tenant's environments by name. */
export function useEnvironments(): ReadonlyMap<string, Environment> {
  const { data } = useQuery({
    queryKey: ['environments'],
    queryFn: () => api.get<{ items: Environment[] }>('/v1/environments', { limit: 200 }),
    staleTime: 300_000,
  });
  return useMemo(() => new Map(data?.items.map((each) => [each.name, each])), [data]);
}
