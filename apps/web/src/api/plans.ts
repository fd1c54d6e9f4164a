import { useQuery } from '@tanstack/react-query';
import type { PlanView } from '#lib/contracts';
import { api } from './client.js';

/** A plan: as it was written, as it would be executed, and what has become of it. */
export const usePlan = (id: string | undefined) =>
  useQuery({
    queryKey: ['plans', 'detail', id],
    enabled: id !== undefined,
    queryFn: () => api.get<PlanView>(`/v1/plans/${id ?? ''}`),
  });
