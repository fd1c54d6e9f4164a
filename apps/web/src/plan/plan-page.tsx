import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { PlanView, SimulationView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { useDirectory } from '../api/directory.js';
import { usePlan } from '../api/plans.js';
import { useTask } from '../api/tasks.js';
import { EvidenceCard } from '../audit/pack-actions.js';
import { AgentText, InertText } from '../components/agent-text.js';
import { Card } from '../components/card.js';
import { DecisionExplained } from '../components/decision-explained.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { RiskBadge } from '../components/risk-badge.js';
import { Skeleton } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';
import { ChangesAskedOfTask } from '../conversation/changes-asked.js';
import { AskApproval } from '../request/ask-approval.js';
import { PlanComparison } from '../request/plan-comparison.js';
import { SimulationImpact } from '../request/simulation-impact.js';
import { RunLink } from '../run/run-link.js';
import { WhatIsDone } from '../what-is-done/what-is-done.js';
import { useMayChange } from '../task/may-change.js';
import { TaskEnvironment } from '../task/task-heading.js';

/** One revision of a plan: its effect, the decisions about it, and its history. */
export function Component() {
  const { id = '' } = useParams();
  const plan = usePlan(id);
  if (plan.isLoadingError)
    return (
      <PageError
        title="Plan"
        error={plan.error}
        retry={() => void plan.refetch()}
        list={{ path: '/plans', name: 'Plans' }}
      />
    );
  if (plan.data === undefined)
    return (
      <Page title="Plan">
        <div role="status" aria-label="Loading">
          <Skeleton className="h-[36rem]" />
        </div>
      </Page>
    );
  return <Plan plan={plan.data} />;
}

function Plan({ plan }: { readonly plan: PlanView }) {
  const { nameOf } = useDirectory();
  const { description } = plan;
  const by = nameOf(plan.submitted_by);
  return (
    <Page
      title={description?.headline ?? `Revision ${String(plan.revision)}, which is not valid`}
      eyebrow={<Link to="/plans">Plans</Link>}
      meta={
        <>
          <StateBadge state={plan.status} />
          {description !== null && <RiskBadge level={description.risk} />}
          <TaskEnvironment id={plan.task_id} />
          <span>
            submitted by <InertText text={by} />, <TimeAgo at={plan.created_at} />
          </span>
          <Link className="text-accent underline" to={`/tasks/${plan.task_id}`}>
            Task
          </Link>
        </>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <ChangesAskedOfTask taskId={plan.task_id} before={plan.revision} />
          {plan.errors.length > 0 && (
            <Card title="Why it cannot be executed">
              <ul className="flex flex-col gap-2 text-sm">
                {plan.errors.map(({ pointer, code, message }) => (
                  <li key={pointer + code}>
                    <code className="font-mono text-xs break-all text-muted">{pointer}</code>{' '}
                    <InertText text={message} />
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {description !== null && (
            <Card title="What is done" flush>
              <WhatIsDone description={description} />
            </Card>
          )}
          {plan.words.length > 0 && <AgentText by={by} text={plan.words.join('\n\n')} />}
          <Simulation planId={plan.id} />
          <PlanComparison planId={plan.id} taskId={plan.task_id} revision={plan.revision} />
        </div>
        <div className="flex flex-col gap-6 lg:sticky lg:top-6">
          <PlanHistory planId={plan.id} />
          <Asking plan={plan} />
          <EvidenceCard about={{ type: 'plan', id: plan.id }} />
          {plan.explanation !== null && (
            <Card title="Decision at its submission">
              <DecisionExplained
                decision={plan.explanation.decision}
                line={plan.explanation.autonomy_line}
                decisionId={plan.explanation.decision_id}
              />
            </Card>
          )}
        </div>
      </div>
    </Page>
  );
}

function Simulation({ planId }: { readonly planId: string }) {
  const { data, error, refetch } = useQuery(
    queryOf('/v1/plans/{id}/simulations', { path: { id: planId }, query: { limit: 1 } }),
  );
  const latest = data?.items[0];
  return (
    <Card
      title="What a simulation predicts"
      {...(latest === undefined ? {} : { actions: <StateBadge state={latest.state} /> })}
    >
      {data === undefined && error === null && <Skeleton className="h-24" />}
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data !== undefined && latest === undefined && <p className="text-sm text-muted">It was not simulated.</p>}
      {latest?.failure != null && (
        <p className="text-sm">
          <InertText text={latest.failure.message} />
        </p>
      )}
      {latest?.stale_reason != null && (
        <p className="mb-3 text-sm text-warn">
          No longer holds: <WhyStale reason={latest.stale_reason} />
        </p>
      )}
      {latest?.result != null && <SimulationImpact result={latest.result} />}
    </Card>
  );
}

/** A run that makes a prediction stale is named by its headline; any other reason is shown as it is. */
function WhyStale({ reason }: { readonly reason: NonNullable<SimulationView['stale_reason']> }) {
  const run = reason.details?.run_id;
  if (run === undefined) return <InertText text={reason.message} />;
  return (
    <>
      <RunLink id={run} /> has begun to touch these targets.
    </>
  );
}

/** The form that asks for approval, for people who may ask, if no request is open. */
function Asking({ plan }: { readonly plan: PlanView }) {
  const mayChange = useMayChange(plan.task_id);
  const task = useTask(plan.task_id);
  const requests = useRequestsOf(plan.id);
  const live = requests.data?.items.some(({ state }) => state === 'open' || state === 'approved') ?? true;
  if (!mayChange || live || plan.state !== 'validated' || task.data?.state !== 'planned') return null;
  return <AskApproval planId={plan.id} />;
}

const useRequestsOf = (planId: string) =>
  useQuery(queryOf('/v1/approval-requests', { query: { plan_id: planId, limit: 50 } }));

/** The requests and runs of a plan. */
function PlanHistory({ planId }: { readonly planId: string }) {
  const requests = useRequestsOf(planId);
  const runs = useQuery(queryOf('/v1/runs', { query: { plan_id: planId, limit: 50 } }));
  const unread = [requests, runs].find(({ isLoadingError }) => isLoadingError);
  const asked = requests.data?.items;
  const ran = runs.data?.items;
  return (
    <Card title="History">
      {unread !== undefined ? (
        <ErrorNote error={unread.error} retry={() => void unread.refetch()} />
      ) : asked === undefined || ran === undefined ? (
        <Skeleton className="h-12" />
      ) : asked.length + ran.length === 0 ? (
        <p className="text-sm text-muted">Nobody was asked to approve it yet.</p>
      ) : (
        <ul className="flex flex-col gap-3 text-sm">
          {ran.map((run) => (
            <li key={run.id} className="flex flex-wrap items-center gap-2">
              <Link className="font-medium text-accent underline" to={`/runs/${run.id}`}>
                Run
              </Link>
              <StateBadge state={run.state} />
              {run.incident_id !== null && (
                <Link className="font-medium text-bad underline" to={`/incidents/${run.incident_id}`}>
                  Break-glass incident
                </Link>
              )}
              <span className="text-muted">
                <TimeAgo at={run.created_at} />
              </span>
            </li>
          ))}
          {asked.map((request) => (
            <li key={request.id}>
              <span className="flex flex-wrap items-center gap-2">
                <Link className="font-medium text-accent underline" to={`/requests/${request.id}`}>
                  Approval request
                </Link>
                <StateBadge state={request.state} />
                <span className="text-muted">
                  <TimeAgo at={request.opened_at} />
                </span>
              </span>
              {request.closed_reason !== null && (
                <span className="text-muted">
                  <InertText text={request.closed_reason.message} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
