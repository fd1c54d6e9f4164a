import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryOf, readAgain } from '../api/query.js';

const newestQuery = (id: string) => ({
  ...queryOf('/v1/automations/{id}/runs', { path: { id }, query: { limit: 1 } }),
});

/** How often an open page asks about runs, in milliseconds; no event tells of them. */
const ASK_MS = 5_000;

/** Reads an automation and its runs again once a run begins or ends. */
export function useFollowedRuns(id: string): void {
  const queries = useQueryClient();
  const { data } = useQuery({ ...newestQuery(id), refetchInterval: ASK_MS });
  const [newest] = data?.items ?? [];
  const course = newest === undefined ? null : `${newest.id} ${newest.state}`;
  useEffect(() => {
    if (course !== null) void readAgain(queries, '/v1/automations/{id}');
  }, [queries, course]);
}
