import { Link, useParams } from 'react-router';
import type { PlanRequestDetailView } from '#lib/api-schemas';
import { useDirectory } from '../api/directory.js';
import { useRequest } from '../api/requests.js';
import { useTask } from '../api/tasks.js';
import { AgentText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { Skeleton } from '../components/skeleton.js';
import { ChangesAsked } from '../conversation/changes-asked.js';
import { Conversation } from '../conversation/conversation.js';
import { CountFolds } from '../what-is-done/folds.js';
import { WhatIsDone } from '../what-is-done/what-is-done.js';
import { CallRequest } from './call-request.js';
import { PlanComparison } from './plan-comparison.js';
import { AskedBy, RequestFrame } from './request-frame.js';
import { SimulationImpact } from './simulation-impact.js';

/** One approval request, with everything that decides it. `?review=approve` opens the review at once. */
export function Component() {
  const { id = '' } = useParams();
  const request = useRequest(id);
  if (request.isLoadingError)
    return (
      <PageError
        title="Request"
        error={request.error}
        retry={() => void request.refetch()}
        list={{ path: '/requests', name: 'Requests' }}
      />
    );
  if (request.data === undefined) return <Loading />;
  return (
    <CountFolds key={request.data.subject.digest}>
      {'call' in request.data ? <CallRequest request={request.data} /> : <PlanRequest request={request.data} />}
    </CountFolds>
  );
}

const Loading = () => (
  <Page title="Request">
    <div
      role="status"
      aria-label="Loading"
      className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <Skeleton className="h-[40rem]" />
      <Skeleton className="h-72" />
    </div>
  </Page>
);

function PlanRequest({ request }: { readonly request: PlanRequestDetailView }) {
  const { nameOf } = useDirectory();
  const { data: task } = useTask(request.subject.task_id);
  // The requester may not be the agent that wrote the task.
  const submitter = task === undefined ? 'the submitter' : nameOf(task.submitted_by);
  const { goal, words } = request.said_by_the_requester;
  return (
    <RequestFrame
      request={request}
      title={request.description.headline}
      meta={
        <>
          {request.subject.phases !== 'all' && (
            <Badge tone="info">
              {request.subject.phases === 'canary' ? 'canary phases only' : 'the rest after the canary'}
            </Badge>
          )}
          <AskedBy request={request} />
          <Link className="text-accent underline" to={`/plans/${request.subject.id}`}>
            Plan, revision {request.revision}
          </Link>
          <Link className="text-accent underline" to={`/tasks/${request.subject.task_id}`}>
            Task
          </Link>
        </>
      }
    >
      <ChangesAsked asked={request.changes_asked} />
      <Card title="What is done" flush>
        <WhatIsDone description={request.description} scope={request.subject.phases} />
      </Card>
      <AgentText by={submitter} text={[goal, ...words].join('\n\n')} />
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
      <Conversation about={{ type: 'approval_request', id: request.id }} />
    </RequestFrame>
  );
}
