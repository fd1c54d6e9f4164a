import { Link, useSearchParams } from 'react-router';
import type { ListedRequestView, RequestTab } from '#lib/api-schemas';
import type { Verdict } from '#lib/formats';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { InertText, SaidBy } from '../components/agent-text.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Headline } from '../components/headline.js';
import { QuorumProgress } from '../components/quorum.js';
import { RiskBadge } from '../components/risk-badge.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { useWorkFilters } from '../components/use-work-filters.js';
import { WorkList } from '../components/work-list.js';
import { wordsOf } from './request-words.js';
import { RequestTabs, tabOf } from './request-tabs.js';

const STATES = ['approved', 'consumed', 'denied', 'changes_requested', 'expired', 'voided'] as const;
const FILTERS = ['state'] as const;

const EMPTY: Readonly<Record<RequestTab, string>> = {
  for_me:
    'No request waits for your review. One appears here the moment an agent asks for something that your roles may approve.',
  open: 'Nobody has to review anything now. A request opens when an agent asks for an approval. A person asks with "Ask for approval" on a plan.',
  decided_by_me: 'You have reviewed no request yet. Requests that you approve, reject or send back stay here.',
  all: 'A request appears here when an agent asks for an approval. A person asks with "Ask for approval" on a plan.',
};

/** Approval requests: open ones, and closed ones with their outcome. */
export function Component() {
  const filters = useWorkFilters(FILTERS);
  const { values } = filters;
  const [search] = useSearchParams();
  const tab = tabOf(search.get('tab'));
  const state = tab === 'decided_by_me' || tab === 'all' ? values.state : '';
  const list = usePaged('/v1/approval-requests', {
    ...filters.query,
    state,
    tab,
  });
  return (
    <WorkList
      title="Requests"
      meta="Questions to people about plans and calls, and their answers."
      list={list}
      path="/requests"
      filters={filters}
      state={tab === 'decided_by_me' || tab === 'all' ? ['state', STATES] : null}
      empty={
        <>
          {EMPTY[tab]}{' '}
          {tab !== 'all' && (
            <Link to="/requests?tab=all" className="text-accent underline">
              See all requests
            </Link>
          )}
        </>
      }
      tabs={<RequestTabs current={tab} />}
    >
      {(request) => <RequestLines request={request} />}
    </WorkList>
  );
}

function RequestLines({ request }: { readonly request: ListedRequestView }) {
  const { nameOf } = useDirectory();
  return (
    <>
      <Headline headline={request.headline} />
      <SaidBy text={wordsOf(request)} by={nameOf(request.requester)} />
      <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <StateBadge state={request.state} />
        <RiskBadge level={request.risk} />
        <EnvironmentLabel {...request.environment} />
        {request.state === 'open' ? (
          <>
            <QuorumProgress quorum={request.quorum} />
            <TimeLeft until={request.expires_at} />
          </>
        ) : (
          <TimeAgo at={request.closed_at ?? request.approved_at ?? request.opened_at} />
        )}
      </span>
      {request.reviews.length > 0 && (
        <span className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-muted">
          {request.reviews.map(({ person, verdict, created_at: at }) => (
            <span key={person.id}>
              <InertText text={person.display_name} /> {VERDICTS[verdict]} <TimeAgo at={at} />
            </span>
          ))}
        </span>
      )}
    </>
  );
}

const VERDICTS: Readonly<Record<Verdict, string>> = {
  approve: 'approved',
  reject: 'rejected',
  request_changes: 'asked for changes',
};
