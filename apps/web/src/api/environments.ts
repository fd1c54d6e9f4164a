import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryOf } from './query.js';

interface Environment {
  readonly name: string;
  readonly production: boolean;
}

/** The tenant's environments by name. */
export function useEnvironments(): ReadonlyMap<string, Environment> {
  const { data } = useQuery({ ...queryOf('/v1/environments', { query: { limit: 200 } }), staleTime: 300_000 });
  return useMemo(() => new Map(data?.items.map((each) => [each.name, each])), [data]);
}
