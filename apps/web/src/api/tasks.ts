import { useQuery } from '@tanstack/react-query';
import type { ExplainedTaskView } from '#lib/contracts';
import { api } from './client.js';

/** A task, and the latest decision about it. */
export const useTask = (id: string | undefined) =>
  useQuery({
    queryKey: ['tasks', 'detail', id],
    enabled: id !== undefined,
    queryFn: () => api.get<ExplainedTaskView>(`/v1/tasks/${id ?? ''}`),
  });
