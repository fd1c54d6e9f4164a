import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import type { PlanRequestDetailView } from '#lib/api-schemas';
import { ApiError } from '../api/api-error.js';
import { queryOf } from '../api/query.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { PlanChanges } from '../components/plan-changes.js';
import { Skeleton } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { BesideTheDecision } from '../what-is-done/folds.js';

interface PlanComparisonProps {
  readonly planId: string;
  readonly taskId: string;
  readonly revision: number;
  /** The differences from the revision that the reader approved; null if they approved none, undefined outside a request. */
  readonly sinceMine?: PlanRequestDetailView['changes_since_my_review'];
}

const tab =
  'rounded-lg px-3 py-1.5 text-sm text-muted data-[state=active]:bg-accent-soft data-[state=active]:font-semibold data-[state=active]:text-accent';

/** The changes of this revision: against the one before, the one that the reader approved, and the last executed one. */
export function PlanComparison({ planId, taskId, revision, sinceMine }: PlanComparisonProps) {
  const first = sinceMine != null ? 'mine' : 'previous';
  return (
    <Card title="What changed">
      <BesideTheDecision>
        <Tabs.Root defaultValue={first}>
          <Tabs.List aria-label="Compared with" className="mb-4 flex flex-wrap gap-1">
            {sinceMine != null && (
              <Tabs.Trigger value="mine" className={tab}>
                What I approved
              </Tabs.Trigger>
            )}
            <Tabs.Trigger value="previous" className={tab}>
              {revision > 1 ? `Revision ${String(revision - 1)}` : 'Revision before'}
            </Tabs.Trigger>
            <Tabs.Trigger value="executed" className={tab}>
              Last executed of its kind
            </Tabs.Trigger>
          </Tabs.List>
          {sinceMine != null && (
            <Tabs.Content value="mine">
              <p className="mb-3 text-sm text-muted">
                You approved <TimeAgo at={sinceMine.approved_at} />.
              </p>
              <Bound bound={sinceMine.bound} />
              <PlanChanges changes={sinceMine} />
            </Tabs.Content>
          )}
          <Tabs.Content value="previous">
            {revision > 1 ? (
              <AgainstPrevious planId={planId} taskId={taskId} revision={revision} />
            ) : (
              <p className="text-sm text-muted">This is the first revision of its task.</p>
            )}
          </Tabs.Content>
          <Tabs.Content value="executed">
            <Diff planId={planId} against="last_executed" />
          </Tabs.Content>
        </Tabs.Root>
      </BesideTheDecision>
    </Card>
  );
}

function Bound({
  bound,
}: {
  readonly bound: readonly { readonly member: string; readonly names: readonly string[] }[];
}) {
  if (bound.length === 0) return null;
  return (
    <ul className="mb-4 flex flex-col gap-1 text-sm">
      {bound.map(({ member, names }) => (
        <li key={member} className="flex flex-wrap items-center gap-2">
          <Badge tone="warn">{member} changed</Badge> {names.join(', ')}
        </li>
      ))}
    </ul>
  );
}

function AgainstPrevious({
  planId,
  taskId,
  revision,
}: {
  readonly planId: string;
  readonly taskId: string;
  readonly revision: number;
}) {
  const revisions = useQuery(queryOf('/v1/tasks/{id}/plans', { path: { id: taskId }, query: { limit: 200 } }));
  if (revisions.error !== null) return <ErrorNote error={revisions.error} />;
  if (revisions.data === undefined) return <Skeleton className="h-24" />;
  const previous = revisions.data.items.find((each) => each.revision === revision - 1);
  return previous === undefined ? (
    <p className="text-sm text-muted">The revision before is not there to compare with.</p>
  ) : (
    <Diff planId={planId} against={previous.id} />
  );
}

function Diff({ planId, against }: { readonly planId: string; readonly against: string }) {
  const diff = useQuery(queryOf('/v1/plans/{id}/diff', { path: { id: planId }, query: { against } }));
  if (diff.error instanceof ApiError && diff.error.code === 'plan.none_executed')
    return <p className="text-sm text-muted">Nothing of this kind was executed here before.</p>;
  if (diff.error !== null) return <ErrorNote error={diff.error} />;
  return diff.data === undefined ? <Skeleton className="h-24" /> : <PlanChanges changes={diff.data} />;
}
