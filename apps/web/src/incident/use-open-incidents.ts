import { useQueries } from '@tanstack/react-query';
import type { IncidentView } from '#lib/contracts';
import { api } from '../api/client.js';

/** Incidents that nobody has resolved yet. */
export const useOpenIncidents = (): readonly IncidentView[] =>
  useQueries({
    queries: (['open', 'acknowledged'] as const).map((state) => ({
      queryKey: ['incidents', 'unresolved', state],
      queryFn: () => api.get<{ items: IncidentView[] }>('/v1/incidents', { state, limit: 50 }),
    })),
    combine: (answers) => answers.flatMap(({ data }) => data?.items ?? []),
  });
