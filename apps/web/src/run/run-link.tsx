import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RunView } from '#lib/contracts';
import { api } from '../api/client.js';
import { useTask } from '../api/tasks.js';
import { GoalText } from '../components/agent-text.js';

/** A run by what it is for, leading to it. */
export function RunLink({ id }: { readonly id: string }) {
  const run = useQuery({ queryKey: ['runs', 'detail', id], queryFn: () => api.get<RunView>(`/v1/runs/${id}`) });
  const task = useTask(run.data?.task_id);
  return (
    <Link to={`/runs/${id}`} title={id} className="font-medium underline">
      {task.data === undefined ? (
        'a run'
      ) : (
        <>
          the run <GoalText goal={task.data.spec.goal} />
        </>
      )}
    </Link>
  );
}
