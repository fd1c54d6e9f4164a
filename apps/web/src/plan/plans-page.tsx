import type { PlanStatus } from '#lib/formats';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Headline } from '../components/headline.js';
import { RiskBadge } from '../components/risk-badge.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';
import { useWorkFilters } from '../components/use-work-filters.js';
import { WorkList } from '../components/work-list.js';
import { TaskEnvironment, TaskGoal } from '../task/task-heading.js';

const STATUSES: readonly PlanStatus[] = [
  'awaiting_approval',
  'approved',
  'executing',
  'executed',
  'draft',
  'invalid',
  'validated',
  'simulated',
  'rejected',
  'changes_requested',
  'expired',
  'superseded',
  'withdrawn',
];
const FILTERS = ['status'] as const;

/** Every revision of every plan, newest first. */
export function Component() {
  const filters = useWorkFilters(FILTERS);
  const list = usePaged('/v1/plans', filters.query);
  const { nameOf } = useDirectory();
  return (
    <WorkList
      title="Plans"
      meta="How it would be done, revision by revision."
      list={list}
      path="/plans"
      filters={filters}
      state={['status', STATUSES]}
      empty="A plan appears here when an agent submits one for a task."
    >
      {(plan) => (
        <>
          <Headline headline={plan.headline} otherwise={`Revision ${String(plan.revision)}, which is not valid`} />
          <TaskGoal id={plan.task_id} />
          <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
            <StateBadge state={plan.status} />
            {plan.plan_risk !== null && <RiskBadge level={plan.plan_risk} />}
            <TaskEnvironment id={plan.task_id} />
            <span>
              by <InertText text={nameOf(plan.submitted_by)} />
            </span>
            <TimeAgo at={plan.created_at} />
          </span>
        </>
      )}
    </WorkList>
  );
}
