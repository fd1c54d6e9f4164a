import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import type { PlanDescription, RunDetailView, RunEventView } from '#lib/api-schemas';
import type { ExpandedPlan } from '#lib/formats';
import { stateInWords } from '#lib/words';
import { queryOf } from '../api/query.js';
import { useEnvironments } from '../api/environments.js';
import { usePlan } from '../api/plans.js';
import { ActorName } from '../components/actor-name.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Codes } from '../components/codes.js';
import { DecisionExplained } from '../components/decision-explained.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { RiskBadge } from '../components/risk-badge.js';
import { Skeleton, SkeletonRows } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo, TimeLeft, Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { WhatIsDone } from '../what-is-done/what-is-done.js';
import { HealthPlot } from './health-plot.js';
import { seriesOf } from './health-series.js';
import { PhaseTimeline } from './phase-timeline.js';
import { scaleOf } from './event-summary.js';
import { Prediction } from './prediction.js';
import { RunControls } from './run-controls.js';
import { progressOf, timelineOf } from './run-timeline.js';
import { StepLog } from './step-log.js';
import { useRunEvents } from './use-run-events.js';
import { whoMoved, type Moved } from './who-moved.js';

/** One run, live to its end. */
export function Component() {
  const { id = '' } = useParams();
  const run = useQuery(queryOf('/v1/runs/{id}', { path: { id } }));
  const plan = usePlan(run.data?.plan_id);
  const error = run.error ?? plan.error;
  if (error !== null && (run.data === undefined || plan.data === undefined))
    return (
      <PageError title="Run" error={error} retry={() => void run.refetch()} list={{ path: '/runs', name: 'Runs' }} />
    );
  const expanded = plan.data?.expanded;
  const description = plan.data?.description;
  if (run.data === undefined || expanded == null || description == null)
    return (
      <Page title="Run">
        <div
          role="status"
          aria-label="Loading"
          className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]"
        >
          <Skeleton className="h-[36rem]" />
          <Skeleton className="h-72" />
        </div>
      </Page>
    );
  return <Run run={run.data} plan={expanded} description={description} />;
}

interface RunProps {
  readonly run: RunDetailView;
  readonly plan: ExpandedPlan;
  readonly description: PlanDescription;
}

function Run({ run, plan, description }: RunProps) {
  const { events, isPending, error } = useRunEvents(run.id);
  const scale = events.map(({ data }) => scaleOf(data)).find((each) => each !== null) ?? null;
  const environment = useEnvironments().get(run.environment);
  const { done, of: steps, percent } = progressOf(run.steps);
  const phases = useMemo(() => timelineOf(run, plan), [run, plan]);
  const series = useMemo(
    () => seriesOf(run.health, new Map(plan.phases.map(({ index, name }) => [index, name]))),
    [run.health, plan],
  );
  return (
    <Page
      title={`${sentence(run.state)}: ${description.headline}`}
      eyebrow={<Link to="/runs">Runs</Link>}
      meta={
        <>
          <span role="status">
            <StateBadge state={run.state} />
          </span>
          <EnvironmentLabel name={run.environment} production={environment?.production ?? false} />
          {run.plan_risk !== null && <RiskBadge level={run.plan_risk} />}
          {run.incident_id !== null && (
            <Link to={`/incidents/${run.incident_id}`} className="font-medium text-bad underline">
              <Badge tone="bad">break-glass</Badge> Incident
            </Link>
          )}
          {run.scope !== 'all' && (
            <Badge tone="info">{run.scope === 'canary' ? 'canary phases only' : 'the rest after the canary'}</Badge>
          )}
          <span>
            {percent} % ({done} of {steps} steps done)
          </span>
          {run.requested !== null && <Badge tone="warn">{inWords(run.requested)} asked for</Badge>}
          <span>
            started by <ActorName actor={run.started_by} />, <TimeAgo at={run.created_at} />
          </span>
          <Link className="text-accent underline" to={`/plans/${run.plan_id}`}>
            Plan
          </Link>
          {run.approval_request_id !== null && (
            <Link className="text-accent underline" to={`/requests/${run.approval_request_id}`}>
              Approval
            </Link>
          )}
          <Link className="text-accent underline" to={`/tasks/${run.task_id}`}>
            Task
          </Link>
        </>
      }
      actions={<RunControls run={run} />}
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <Why run={run} events={events} />
          <Card title="Phases and batches" flush>
            <PhaseTimeline phases={phases} runId={run.id} />
          </Card>
          <Card title="Health">
            {series.length === 0 ? (
              <p className="text-sm text-muted">Nothing was measured against a limit yet.</p>
            ) : (
              <div className="flex flex-col gap-5">
                {series.map((each) => (
                  <HealthPlot
                    key={each.threshold.metric + each.threshold.operator + String(each.threshold.limit)}
                    series={each}
                  />
                ))}
              </div>
            )}
          </Card>
          <Card title="What is done" flush>
            <WhatIsDone description={description} scope={run.scope} />
          </Card>
          <Card title="Log" flush>
            {error !== null && <ErrorNote error={error} />}
            {isPending && <SkeletonRows rows={4} className="h-8" />}
            {!isPending && (error === null || events.length > 0) && <StepLog events={events} />}
          </Card>
        </div>
        <div className="flex flex-col gap-6 lg:sticky lg:top-6">
          <Card title="Predicted and actual">
            <Prediction run={run} scale={scale} />
          </Card>
          {run.explanation !== null && (
            <Card title="Why it may run">
              <DecisionExplained
                decision={run.explanation.decision}
                line={run.explanation.autonomy_line}
                decisionId={run.explanation.decision_id}
              />
            </Card>
          )}
        </div>
      </div>
    </Page>
  );
}

const sentence = (state: string): string => stateInWords(state).replace(/^./, (first) => first.toUpperCase());

type Reason = NonNullable<RunDetailView['reason']>;

/** The person who moved the run, the time, and their own words; or the cause. */
function Move({
  run,
  moved,
  reason,
}: {
  readonly run: RunDetailView;
  readonly moved: Moved | null;
  readonly reason: Reason;
}) {
  const said = (
    <>
      <span className="font-medium">
        {sentence(run.state)}
        {moved?.actor != null && (
          <>
            {' '}
            by <ActorName actor={moved.actor} />
          </>
        )}
        {moved === null ? (
          '.'
        ) : (
          <>
            , <TimeAgo at={moved.at} />.
          </>
        )}
      </span>{' '}
    </>
  );
  if (moved?.actor != null)
    return (
      <>
        {said}
        {moved.note === null ? (
          'They gave no reason.'
        ) : (
          <q>
            <InertText text={moved.note} />
          </q>
        )}
      </>
    );
  return (
    <>
      {said}
      <InertText text={reason.message} />
    </>
  );
}

/** The reason for the state of the run. */
function Why({ run, events }: { readonly run: RunDetailView; readonly events: readonly RunEventView[] }) {
  const { reason, rollback_reason: rollback, waiting_on: waiting, wait_until: until, outcome } = run;
  const notUndone = outcome?.not_undone ?? [];
  const codes = [reason, rollback].flatMap((cause) => (cause === null ? [] : [cause.code]));
  if (reason === null && rollback === null && waiting === null && until === null && notUndone.length === 0) return null;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-lg border border-warn/40 bg-warn-soft p-3 text-sm">
      {reason !== null && (
        <p>
          <Move run={run} moved={whoMoved(run, events)} reason={reason} />{' '}
          {reason.code === 'run.halted' && (
            <Link className="text-accent underline" to="/halts">
              See the halts
            </Link>
          )}
        </p>
      )}
      {rollback !== null && rollback.message !== reason?.message && (
        <p>
          Rolled back because: <InertText text={rollback.message} />
        </p>
      )}
      {waiting !== null && (
        <p>
          Waits for target {waiting.target}, which{' '}
          <Link className="text-accent underline" to={`/runs/${waiting.run_id}`}>
            another run
          </Link>{' '}
          holds.
        </p>
      )}
      {until !== null && run.state === 'executing' && (
        <p>
          Waits between batches until <Timestamp at={until} />:{' '}
          <TimeLeft until={until} over="going on" deadline={false} />
        </p>
      )}
      {notUndone.length > 0 && (
        <div>
          <p className="font-medium">Not undone:</p>
          <ul className="list-disc pl-5">
            {notUndone.map(({ seq, tool, why }) => (
              <li key={seq}>
                #{seq} {tool}: {inWords(why)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {codes.length > 0 && <Codes names={codes} />}
    </div>
  );
}
