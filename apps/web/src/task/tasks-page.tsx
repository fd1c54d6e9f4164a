import type { TaskState } from '#lib/formats';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { usePaged } from '../api/paged.js';
import { SaidBy } from '../components/agent-text.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Headline } from '../components/headline.js';
import { RiskBadge } from '../components/risk-badge.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { useWorkFilters } from '../components/use-work-filters.js';
import { WorkList } from '../components/work-list.js';

const STATES: readonly TaskState[] = ['created', 'planned', 'executing', 'completed', 'failed', 'cancelled'];
const FILTERS = ['state'] as const;

/** Every task, newest first. */
export function Component() {
  const filters = useWorkFilters(FILTERS);
  const list = usePaged('/v1/tasks', filters.query);
  const environments = useEnvironments();
  const { nameOf } = useDirectory();
  return (
    <WorkList
      title="Tasks"
      meta="The goals that agents and people have set."
      list={list}
      path="/tasks"
      filters={filters}
      state={['state', STATES]}
      empty="An agent submits a task over the API or the SDK, and it appears here at once."
    >
      {(task) => (
        <>
          <Headline headline={task.headline} />
          <SaidBy text={task.spec.goal} by={nameOf(task.submitted_by)} />
          <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <StateBadge state={task.state} />
            {task.plan_risk !== null && <RiskBadge level={task.plan_risk} />}
            <EnvironmentLabel
              name={task.spec.environment}
              production={environments.get(task.spec.environment)?.production ?? false}
            />
            <span>{inWords(task.spec.task_type)}</span>
            <TimeAgo at={task.created_at} />
          </span>
        </>
      )}
    </WorkList>
  );
}
