import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryOf } from './query.js';

/** The names of the tenant's tools. */
export function useToolNames(): readonly string[] {
  const { data } = useQuery({ ...queryOf('/v1/tools'), staleTime: 300_000 });
  return useMemo(() => data?.tools.map(({ name }) => name).sort() ?? [], [data]);
}
