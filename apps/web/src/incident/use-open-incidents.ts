import { useQueries } from '@tanstack/react-query';
import type { IncidentView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';

/** Incidents that are not yet resolved. */
export const useOpenIncidents = (): readonly IncidentView[] =>
  useQueries({
    queries: (['open', 'acknowledged'] as const).map((state) =>
      queryOf('/v1/incidents', { query: { state, limit: 50 } }),
    ),
    combine: (answers) => answers.flatMap(({ data }) => data?.items ?? []),
  });
