import { Eye, Play } from 'lucide-react';
import type {
  ChangeRequestView,
  IncidentView,
  InboxItemView,
  ListedPlanRequestView,
  QueuedRequestView,
} from '#lib/api-schemas';
import type { IncidentDuty } from '#lib/formats';
import { useDirectory } from '../api/directory.js';
import { kindWords } from '../change/kind-words.js';
import { InertText, SaidBy } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Headline } from '../components/headline.js';
import { QuorumProgress } from '../components/quorum.js';
import { RiskBadge } from '../components/risk-badge.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { wordsOf } from '../request/request-words.js';

/** One thing that waits for the reader. */
export function WaitingRow({ item }: { readonly item: InboxItemView }) {
  switch (item.kind) {
    case 'request':
      return <Request request={item.request} />;
    case 'start':
      return <Start request={item.request} />;
    case 'incident':
      return <Incident incident={item.incident} duty={item.duty} />;
    case 'change':
      return <Change change={item.change} />;
  }
}

const DUTIES: Readonly<Record<IncidentDuty, string>> = {
  acknowledge: 'take this incident on',
  resolve: 'write the post-mortem',
  review: 'review the post-mortem',
};

function Incident({ incident, duty }: { readonly incident: IncidentView; readonly duty: IncidentDuty }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone="bad">break-glass: {DUTIES[duty]}</Badge>
        <EnvironmentLabel {...incident.environment} />
        {incident.plan_risk !== null && <RiskBadge level={incident.plan_risk} />}
      </span>
      <span className="mt-1 block">
        <Headline headline={incident.headline} />
      </span>
      <span className="line-clamp-1 text-sm text-muted">
        <InertText text={incident.invoked_by.display_name} /> says: <InertText text={incident.justification} />
      </span>
      <span className="mt-0.5 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-muted">
        <TimeAgo at={incident.opened_at} />
        <TimeLeft until={incident.review_due_at} over="review overdue" />
      </span>
    </>
  );
}

function Start({ request }: { readonly request: ListedPlanRequestView }) {
  const { nameOf } = useDirectory();
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone="good">
          <Play aria-hidden className="size-3.5" /> approved: start it
        </Badge>
        <EnvironmentLabel {...request.environment} />
        <RiskBadge level={request.risk} />
      </span>
      <span className="mt-1 block">
        <Headline headline={request.headline} />
      </span>
      <SaidBy text={request.said_by_the_requester.goal} by={nameOf(request.requester)} />
      <span className="mt-0.5 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-muted">
        {request.approval_expires_at !== null && (
          <TimeLeft until={request.approval_expires_at} over="the approval has expired" />
        )}
      </span>
    </>
  );
}

function Change({ change }: { readonly change: ChangeRequestView }) {
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone="warn">loosens the gate</Badge>
        <Badge>{kindWords(change.kind)}</Badge>
      </span>
      <span className="mt-1 line-clamp-2 block font-medium">
        <InertText text={change.what} />
      </span>
      <span className="mt-0.5 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-muted">
        <span>
          asked by <InertText text={change.requested_by.display_name} />: “<InertText text={change.reason} />”
        </span>
        <TimeLeft until={change.expires_at} />
      </span>
    </>
  );
}

function Request({ request }: { readonly request: QueuedRequestView }) {
  const { nameOf } = useDirectory();
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <EnvironmentLabel {...request.environment} />
        <RiskBadge level={request.risk} />
        {request.claim !== null && (
          <span className="inline-flex items-center gap-1 text-xs text-muted">
            <Eye aria-hidden className="size-3.5" />
            <InertText text={request.claim.person.display_name} /> is looking at it
          </span>
        )}
      </span>
      <span className="mt-1 block">
        <Headline headline={request.headline} />
      </span>
      <SaidBy text={wordsOf(request)} by={nameOf(request.requester)} />
      <span className="mt-0.5 flex flex-wrap items-center gap-x-4 gap-y-0.5 text-sm text-muted">
        {request.subject.type === 'plan' && request.subject.phases !== 'all' && (
          <span>{request.subject.phases === 'canary' ? 'canary phases only' : 'the rest after the canary'}</span>
        )}
        <QuorumProgress quorum={request.quorum} />
        <TimeLeft until={request.expires_at} />
      </span>
    </>
  );
}
