import { useQuery } from '@tanstack/react-query';
import { queryOf } from './query.js';

/** A plan: as written, as it would be executed, and its state. */
export const usePlan = (id: string | undefined) =>
  useQuery({ ...queryOf('/v1/plans/{id}', { path: { id: id ?? '' } }), enabled: id !== undefined });
