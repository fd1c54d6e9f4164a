import { useEnvironments } from '../api/environments.js';
import { useTask } from '../api/tasks.js';
import { GoalText } from '../components/agent-text.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Skeleton } from '../components/skeleton.js';

/** What a task is for, where something of it is listed: the agent's words, on one line. */
export function TaskGoal({ id }: { readonly id: string }) {
  const { data } = useTask(id);
  return (
    <span className="block truncate font-medium">
      {data === undefined ? <Skeleton className="mt-1 h-4 w-72 max-w-full" /> : <GoalText goal={data.spec.goal} />}
    </span>
  );
}

/** The environment of a task. */
export function TaskEnvironment({ id }: { readonly id: string }) {
  const { data } = useTask(id);
  const environments = useEnvironments();
  if (data === undefined) return <Skeleton className="h-5.5 w-24" />;
  const { environment } = data.spec;
  return <EnvironmentLabel name={environment} production={environments.get(environment)?.production ?? false} />;
}
