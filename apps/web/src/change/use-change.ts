import { useQuery } from '@tanstack/react-query';
import type { ChangeRequestView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';

/** A change as it stands by now; its end shows by itself. */
export function useChange<T extends ChangeRequestView | null>(asked: T): ChangeRequestView | T {
  const { data } = useQuery({
    ...queryOf('/v1/change-requests/{id}', { path: { id: asked?.id ?? '' } }),
    enabled: asked !== null,
  });
  return data ?? asked;
}
