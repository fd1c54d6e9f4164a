import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { useTask } from '../api/tasks.js';
import { InertText, SaidBy } from '../components/agent-text.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Skeleton } from '../components/skeleton.js';

/** The submitter's goal of a task, on one line below its effect. */
export function TaskGoal({ id }: { readonly id: string }) {
  const { data } = useTask(id);
  const { nameOf } = useDirectory();
  if (data === undefined) return <Skeleton className="mt-1 h-4 w-72 max-w-full" />;
  return <SaidBy text={data.spec.goal} by={nameOf(data.submitted_by)} />;
}

/** A task by the effect of its latest plan, or by its id before it has one. */
export function TaskName({ id }: { readonly id: string }) {
  const { data } = useTask(id);
  return data === undefined ? <Skeleton className="h-4 w-72 max-w-full" /> : <InertText text={data.headline ?? id} />;
}

/** The environment of a task. */
export function TaskEnvironment({ id }: { readonly id: string }) {
  const { data } = useTask(id);
  const environments = useEnvironments();
  if (data === undefined) return <Skeleton className="h-5.5 w-24" />;
  const { environment } = data.spec;
  return <EnvironmentLabel name={environment} production={environments.get(environment)?.production ?? false} />;
}
