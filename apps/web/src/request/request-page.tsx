import { useEffect, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import type { ApprovalRequestDetailView } from '#lib/api-schemas';
import type { Verdict } from '#lib/formats';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { useRequest } from '../api/requests.js';
import { useSignedIn } from '../api/session.js';
import { useTask } from '../api/tasks.js';
import { AgentText, InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { buttonClass } from '../components/button.js';
import { Card } from '../components/card.js';
import { DecisionExplained } from '../components/decision-explained.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { RiskBadge } from '../components/risk-badge.js';
import { Skeleton } from '../components/skeleton.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { ChangesAsked } from '../conversation/changes-asked.js';
import { Conversation } from '../conversation/conversation.js';
import { CountFolds } from '../what-is-done/folds.js';
import { WhatIsDone } from '../what-is-done/what-is-done.js';
import { DecisionPanel, hasApproved } from './decision-panel.js';
import { PlanComparison } from './plan-comparison.js';
import { ReviewDialog } from './review-dialog.js';
import { Reviews } from './reviews.js';
import { SimulationImpact } from './simulation-impact.js';
import { WhatHappened } from './what-happened.js';

const VERDICTS: readonly Verdict[] = ['approve', 'reject', 'request_changes'];

/** One approval request, with everything that decides it. `?review=approve` opens the review at once. */
export function Component() {
  const { id = '' } = useParams();
  const request = useRequest(id);
  if (request.error !== null)
    return (
      <PageError
        title="Request"
        error={request.error}
        retry={() => void request.refetch()}
        list={{ path: '/inbox', name: 'the inbox' }}
      />
    );
  if (request.data === undefined) return <Loading />;
  return (
    <CountFolds key={request.data.subject.digest}>
      <Request request={request.data} />
    </CountFolds>
  );
}

const Loading = () => (
  <Page title="Request">
    <div role="status" aria-label="Loading" className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <Skeleton className="h-[40rem]" />
      <Skeleton className="h-72" />
    </div>
  </Page>
);

function Request({ request }: { readonly request: ApprovalRequestDetailView }) {
  useSeen(request);
  const [search, setSearch] = useSearchParams();
  const asked = VERDICTS.find((verdict) => verdict === search.get('review')) ?? null;
  const [verdict, setVerdict] = useState<Verdict | null>(asked);
  const { nameOf } = useDirectory();
  const { person } = useSignedIn();
  const by = nameOf(request.requester);
  const { data: task } = useTask(request.subject.task_id);
  // The requester may not be the agent that wrote the task.
  const submitter = task === undefined ? 'the submitter' : nameOf(task.submitted_by);
  const { goal, words } = request.said_by_the_requester;
  const behalf = request.requester.on_behalf_of;
  const close = (): void => {
    setVerdict(null);
    setSearch({}, { replace: true });
  };
  return (
    <Page
      title={request.description.headline}
      eyebrow="Approval request"
      meta={
        <>
          <EnvironmentLabel {...request.environment} />
          <RiskBadge level={request.description.risk} />
          {request.subject.phases !== 'all' && (
            <Badge tone="info">
              {request.subject.phases === 'canary' ? 'canary phases only' : 'the rest after the canary'}
            </Badge>
          )}
          <span>
            asked by <InertText text={by} />
            {behalf !== null && ` on behalf of ${nameOf({ kind: 'person', id: behalf })}`},{' '}
            <TimeAgo at={request.opened_at} />
          </span>
          <Link className="text-accent underline" to={`/plans/${request.subject.id}`}>
            Plan, revision {request.revision}
          </Link>
          <Link className="text-accent underline" to={`/tasks/${request.subject.task_id}`}>
            Task
          </Link>
        </>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <WhatHappened request={request} />
          <ChangesAsked asked={request.changes_asked} />
          <Card title="What is done" flush>
            <WhatIsDone description={request.description} scope={request.subject.phases} />
          </Card>
          <AgentText by={submitter} text={[goal, ...words].join('\n\n')} />
          <Conversation about={{ type: 'approval_request', id: request.id }} />
          <Card title="What a simulation predicts">
            {request.simulation === null ? (
              <p className="text-sm text-muted">It was asked for without a simulation.</p>
            ) : (
              <SimulationImpact result={request.simulation.result} />
            )}
          </Card>
          <PlanComparison
            planId={request.subject.id}
            taskId={request.subject.task_id}
            revision={request.revision}
            sinceMine={request.changes_since_my_review}
          />
          <Card title="Why people are asked">
            <DecisionExplained
              decision={request.decision}
              line={request.autonomy_line}
              decisionId={request.decision_id}
            />
          </Card>
        </div>
        <div id="decision" className="flex scroll-mt-20 flex-col gap-6 lg:sticky lg:top-6">
          <DecisionPanel request={request} onReview={setVerdict} />
          <Card title="Reviews">
            <Reviews reviews={request.reviews} />
          </Card>
          {request.state === 'open' && <Excluded request={request} />}
        </div>
      </div>
      {request.state === 'open' && request.may_review.outcome === 'allow' && !hasApproved(request, person.id) && (
        <div className="sticky bottom-19 z-10 short:static mt-6 flex items-center justify-between gap-3 rounded-xl border border-line bg-surface p-3 shadow-lg lg:hidden">
          <TimeLeft until={request.expires_at} />
          <a href="#decision" className={buttonClass('primary')}>
            To the decision
          </a>
        </div>
      )}
      {verdict !== null && request.state === 'open' && (
        <ReviewDialog request={request} verdict={verdict} onClose={close} />
      )}
    </Page>
  );
}

/** Tells that the reader sees it now: from the first time on, their time to decide counts. */
function useSeen({ id, state, may_review: mayReview }: ApprovalRequestDetailView): void {
  const counts = state === 'open' && mayReview.outcome === 'allow';
  useEffect(() => {
    // Only a metric depends on it, so the page goes on without it.
    if (counts) api.post('/v1/approval-requests/{id}/seen', { path: { id } }).catch(() => undefined);
  }, [id, counts]);
}

const WHY = {
  submitter: 'asked for it',
  on_behalf_of: 'is the person it is asked for',
  owner: 'answers for the agent',
  changed: 'changed it',
  same_hand: 'has one vote together with somebody behind it',
  enroller: 'made the token with which somebody behind it came in',
} as const;

function Excluded({ request }: { readonly request: ApprovalRequestDetailView }) {
  const { find } = useDirectory();
  if (request.excluded.length === 0) return null;
  return (
    <Card title="Cannot review it">
      <ul className="flex flex-col gap-1.5 text-sm">
        {request.excluded.map(({ person_id: id, why, shares_with: other }) => (
          <li key={id + why}>
            {find({ kind: 'person', id }) ?? 'A person'}{' '}
            <span className="text-muted">
              {other === undefined
                ? WHY[why]
                : `has one vote together with ${find({ kind: 'person', id: other }) ?? 'somebody behind it'}`}
            </span>
          </li>
        ))}
      </ul>
      {request.ways_to_a_vote !== null && <p className="mt-3 text-sm text-muted">{request.ways_to_a_vote}</p>}
    </Card>
  );
}
