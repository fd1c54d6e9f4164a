import { useQuery } from '@tanstack/react-query';
import { queryOf } from './query.js';

/** A task, and the latest decision about it. */
export const useTask = (id: string | undefined) =>
  useQuery({ ...queryOf('/v1/tasks/{id}', { path: { id: id ?? '' } }), enabled: id !== undefined });
