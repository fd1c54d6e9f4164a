import type { RunState } from '#lib/formats';
import { usePaged } from '../api/paged.js';
import { ActorName } from '../components/actor-name.js';
import { Badge } from '../components/badge.js';
import { Headline } from '../components/headline.js';
import { countOf } from '../components/count-of.js';
import { RiskBadge } from '../components/risk-badge.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';
import { useWorkFilters } from '../components/use-work-filters.js';
import { WorkList } from '../components/work-list.js';
import { TaskEnvironment, TaskGoal } from '../task/task-heading.js';

const STATES: readonly RunState[] = [
  'executing',
  'paused',
  'rolling_back',
  'queued',
  'completed',
  'failed',
  'cancelled',
  'rolled_back',
  'rollback_failed',
];
const FILTERS = ['state'] as const;

/** Every run, newest first. */
export function Component() {
  const filters = useWorkFilters(FILTERS);
  const list = usePaged('/v1/runs', filters.query);
  return (
    <WorkList
      title="Runs"
      meta="Plans that are being executed, and those that were."
      list={list}
      path="/runs"
      filters={filters}
      state={['state', STATES]}
      empty="A run appears here when an approved plan starts."
    >
      {(run) => (
        <>
          <Headline headline={run.headline} />
          <TaskGoal id={run.task_id} />
          <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <StateBadge state={run.state} />
            {run.plan_risk !== null && <RiskBadge level={run.plan_risk} />}
            {run.incident_id !== null && <Badge tone="bad">break-glass</Badge>}
            <TaskEnvironment id={run.task_id} />
            {run.scope !== 'all' && <Badge tone="info">{run.scope}</Badge>}
            {run.outcome !== null && <span>{countOf(run.outcome.affected_assets, 'asset')}</span>}
            <span>
              started by <ActorName actor={run.started_by} />
            </span>
            <TimeAgo at={run.created_at} />
          </span>
        </>
      )}
    </WorkList>
  );
}
