import { useEffect, useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ApprovalRequestDetailView } from '#lib/api-schemas';
import type { Verdict } from '#lib/formats';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { buttonClass } from '../components/button.js';
import { Card } from '../components/card.js';
import { DecisionExplained } from '../components/decision-explained.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Page } from '../components/page.js';
import { RiskBadge } from '../components/risk-badge.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { DecisionPanel, hasApproved } from './decision-panel.js';
import { Precedents } from './precedents.js';
import { ReviewDialog } from './review-dialog.js';
import { Reviews } from './reviews.js';
import { WhatHappened } from './what-happened.js';

const VERDICTS: readonly Verdict[] = ['approve', 'reject', 'request_changes'];

interface RequestFrameProps {
  readonly request: ApprovalRequestDetailView;
  readonly title: string;
  readonly meta: ReactNode;
  /** The subject that the reader decides on. */
  readonly children: ReactNode;
}

/** The page of a request about a subject of any kind, with the decision beside it. */
export function RequestFrame({ request, title, meta, children }: RequestFrameProps) {
  useSeen(request);
  const [search, setSearch] = useSearchParams();
  const asked = VERDICTS.find((verdict) => verdict === search.get('review')) ?? null;
  const [verdict, setVerdict] = useState<Verdict | null>(request.state === 'open' ? asked : null);
  const { person } = useSignedIn();
  const close = (): void => {
    setVerdict(null);
    setSearch({}, { replace: true, preventScrollReset: true });
  };
  return (
    <Page
      title={title}
      eyebrow={<Link to="/requests?tab=all">Requests</Link>}
      meta={
        <>
          <EnvironmentLabel {...request.environment} />
          <RiskBadge level={request.risk} />
          {meta}
        </>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <WhatHappened request={request} />
          {children}
          <Precedents requestId={request.id} />
          <Card title="Why people are asked">
            <DecisionExplained
              decision={request.decision}
              line={request.autonomy_line}
              decisionId={request.decision_id}
            />
          </Card>
          {/* It goes once the decision comes into sight, which follows this column on a phone. */}
          {request.state === 'open' && request.may_review.outcome === 'allow' && !hasApproved(request, person.id) && (
            <div className="sticky bottom-19 z-10 print:hidden short:static flex items-center justify-between gap-3 rounded-xl border border-line bg-surface p-3 shadow-lg lg:hidden">
              <TimeLeft until={request.expires_at} />
              <a href="#decision" className={buttonClass('primary')}>
                To the decision
              </a>
            </div>
          )}
        </div>
        <div id="decision" className="flex scroll-mt-20 flex-col gap-6 lg:sticky lg:top-6">
          <DecisionPanel request={request} onReview={setVerdict} />
          <Card title="Reviews">
            <Reviews reviews={request.reviews} />
          </Card>
          {request.state === 'open' && <Excluded request={request} />}
        </div>
      </div>
      {verdict !== null && <ReviewDialog request={request} verdict={verdict} onClose={close} />}
    </Page>
  );
}

/** The requester, and the time of the request. */
export function AskedBy({ request }: { readonly request: ApprovalRequestDetailView }) {
  const { nameOf } = useDirectory();
  const behalf = request.requester.on_behalf_of;
  return (
    <span>
      asked by <InertText text={nameOf(request.requester)} />
      {behalf !== null && ` on behalf of ${nameOf({ kind: 'person', id: behalf })}`}, <TimeAgo at={request.opened_at} />
    </span>
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
