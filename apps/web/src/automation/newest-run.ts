import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AutomationRunView } from '#lib/api-schemas';
import { queryOf, readAgain } from '../api/query.js';

const newestQuery = (id: string) => ({
  ...queryOf('/v1/automations/{id}/runs', { path: { id }, query: { limit: 1 } }),
});

/** A row that is scrolled past sooner asks for nothing. */
const LINGERS_MS = 250;

/** The last run of an automation: undefined until it is read, null without one. */
export function useNewestRun(id: string): AutomationRunView | null | undefined {
  const [lingers, setLingers] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setLingers(true);
    }, LINGERS_MS);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  const { data } = useQuery({ ...newestQuery(id), enabled: lingers });
  return data === undefined ? undefined : (data.items[0] ?? null);
}

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
