import { useQuery } from '@tanstack/react-query';
import { queryOf } from './query.js';

/** A plan: as it was written, as it would be executed, and what has become of it. */
export const usePlan = (id: string | undefined) =>
  useQuery({ ...queryOf('/v1/plans/{id}', { path: { id: id ?? '' } }), enabled: id !== undefined });
