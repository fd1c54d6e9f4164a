import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import type { PlanSummaryView } from '#lib/api-schemas';
import { usePaged } from '../api/paged.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Empty } from '../components/empty.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { Headline } from '../components/headline.js';
import { RiskBadge } from '../components/risk-badge.js';
import { SkeletonRows } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';
import { TaskEnvironment, TaskGoal } from '../task/task-heading.js';
import { isClosed, Unavailable, useAvailability } from './availability.js';

const STATUSES = ['awaiting_approval', 'simulated', 'validated'] as const;

/** The plans that could be executed in an emergency, by their headline. The search finds any part of it, or the id. */
export function ChoosePlan({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const [wanted, setWanted] = useState('');
  const lists = [
    usePaged('/v1/plans', { status: STATUSES[0] }),
    usePaged('/v1/plans', { status: STATUSES[1] }),
    usePaged('/v1/plans', { status: STATUSES[2] }),
  ];
  const plans = lists.flatMap(({ items }) => items);
  const shown = plans.filter((plan) => matches(plan, wanted));
  const error = lists.find((list) => list.error !== null)?.error ?? null;
  const pending = lists.some(({ isPending }) => isPending);
  const unread = lists.filter(({ hasMore }) => hasMore);
  // The switch and the allowed people are the same for all plans.
  const availability = useAvailability(plans[0]?.id);
  if (availability.isLoading || (pending && plans.length === 0)) return <SkeletonRows rows={3} />;
  if (availability.data !== undefined && isClosed(availability.data))
    return <Unavailable availability={availability.data} />;
  return (
    <Card title="Which plan?" flush>
      {error !== null && (
        <div className="p-4">
          <ErrorNote error={error} />
        </div>
      )}
      {!pending && error === null && plans.length === 0 && (
        <Empty icon={<ShieldAlert aria-hidden />} title="No plan that could be executed">
          It takes a plan that is validated, simulated or awaiting approval. Have one submitted first: an emergency is
          executed by a plan, too.
        </Empty>
      )}
      {plans.length > 0 && (
        <div className="border-b border-line p-4">
          <TextField
            label="Find a plan"
            hint="A tool, a target, an argument, a revision, or part of the plan's id."
            type="search"
            value={wanted}
            onChange={setWanted}
          />
        </div>
      )}
      {plans.length > 0 && shown.length === 0 && (
        <p role="status" className="p-4 text-sm text-muted">
          No plan matches.
        </p>
      )}
      <ul>
        {shown.map((plan) => (
          <li key={plan.id} className="border-b border-line last:border-0">
            <button
              type="button"
              className="w-full px-4 py-3 text-left hover:bg-sunken"
              onClick={() => {
                onChoose(plan.id);
              }}
            >
              <Headline headline={plan.headline} />
              <TaskGoal id={plan.task_id} />
              <span className="mt-1 flex flex-wrap items-center gap-3 text-sm text-muted">
                <StateBadge state={plan.status} />
                {plan.plan_risk !== null && <RiskBadge level={plan.plan_risk} />}
                <TaskEnvironment id={plan.task_id} />
                <TimeAgo at={plan.created_at} />
                <code className="font-mono text-xs">{plan.id.slice(-8)}</code>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {unread.length > 0 && (
        <div className="p-4">
          <Button
            size="sm"
            onClick={() => {
              for (const list of unread) list.more();
            }}
          >
            Read older plans
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Whether every word is somewhere in the plan's effect, or in its id. */
function matches({ id, headline }: PlanSummaryView, wanted: string): boolean {
  const text = `${headline ?? ''} ${id}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
