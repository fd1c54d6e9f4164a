import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Eye, MessageSquareWarning, Play, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { ApprovalRequestDetailView } from '#lib/api-schemas';
import type { Verdict } from '#lib/formats';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { readAgain, readAllAgain } from '../api/read-again.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { Button, buttonClass } from '../components/button.js';
import { Card } from '../components/card.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { QuorumSlots, QuorumProgress } from '../components/quorum.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeLeft, Timestamp } from '../components/times.js';
import { useFolds } from '../what-is-done/folds.js';
import { OpenFolds } from '../what-is-done/open-folds.js';
import { PossibleReviewers } from './possible-reviewers.js';
import { WithdrawRequest } from './withdraw-request.js';

interface DecisionPanelProps {
  readonly request: ApprovalRequestDetailView;
  readonly onReview: (verdict: Verdict) => void;
}

/** The state of the request, and the actions that the reader may take. */
export function DecisionPanel({ request, onReview }: DecisionPanelProps) {
  return (
    <Card
      title="Decision"
      actions={
        <span role="status">
          <StateBadge state={request.state} />
        </span>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <span role="status">
            <QuorumProgress quorum={request.quorum} />
          </span>
          {request.state === 'open' && <TimeLeft until={request.expires_at} />}
          {request.state === 'approved' && request.approval_expires_at !== null && (
            <TimeLeft until={request.approval_expires_at} over="no longer good" />
          )}
        </div>
        <QuorumSlots quorum={request.quorum} open={request.state === 'open'} />
        {request.state === 'open' && <PossibleReviewers request={request} />}
        <Claim request={request} />
        <WhenItStarts request={request} />
        <MyReview request={request} />
        <Actions request={request} onReview={onReview} />
        {!('call' in request) && <WithdrawRequest request={request} />}
        {!('call' in request) && request.state === 'consumed' && <ConsumedByRun request={request} />}
      </div>
    </Card>
  );
}

/** The reader's own review, while others are still awaited. */
function MyReview({ request }: { readonly request: ApprovalRequestDetailView }) {
  const { person } = useSignedIn();
  const approved = hasApproved(request, person.id);
  if (request.state !== 'open' || !approved) return null;
  return (
    <p role="status" className="flex items-center gap-2 rounded-lg bg-good-soft p-3 text-sm">
      <Check aria-hidden className="size-4 shrink-0 text-good" /> You have approved it. It waits for somebody else.
    </p>
  );
}

/** Whether somebody's approval of this very request stands. */
export const hasApproved = (request: ApprovalRequestDetailView, personId: string): boolean =>
  request.reviews.some(
    ({ person, verdict, replaced_at: replaced }) =>
      person.id === personId && verdict === 'approve' && replaced === null,
  );

/** The run that the approval was used for. */
function ConsumedByRun({ request }: { readonly request: ApprovalRequestDetailView }) {
  const runs = useQuery(queryOf('/v1/runs', { query: { plan_id: request.subject.id, limit: 50 } }));
  const run = runs.data?.items.find((each) => each.approval_request_id === request.id);
  if (run === undefined) return null;
  return (
    <Link className={buttonClass('primary')} to={`/runs/${run.id}`}>
      <Play aria-hidden className="size-4" /> See the run
    </Link>
  );
}

const CLAIM = '/v1/approval-requests/{id}/claim';

/** The person who is looking at it: a hint to others that bars no review. */
function Claim({ request }: { readonly request: ApprovalRequestDetailView }) {
  const queries = useQueryClient();
  const { person } = useSignedIn();
  const mine = request.claim?.person.id === person.id;
  const call = { path: { id: request.id } };
  const claiming = useMutation({
    mutationFn: () => (mine ? api.delete(CLAIM, call) : api.post(CLAIM, call)),
    onSuccess: () => {
      void readAgain(queries, '/v1/approval-requests', '/v1/inbox');
    },
  });
  const may = request.state === 'open' && request.may_review.outcome === 'allow';
  if (request.state !== 'open' || (request.claim === null && !may)) return null;
  return (
    <div className="flex min-h-8 flex-wrap items-center justify-between gap-2 text-sm text-muted">
      <span className="inline-flex items-center gap-1.5">
        <Eye aria-hidden className="size-4" />
        {request.claim === null ? (
          'Nobody is looking at it'
        ) : mine ? (
          'You are looking at it'
        ) : (
          <>
            <InertText text={request.claim.person.display_name} /> is looking at it
          </>
        )}
      </span>
      {may && (request.claim === null || mine) && (
        <Button size="sm" busy={claiming.isPending} onClick={() => claiming.mutate()}>
          {mine ? 'No longer' : 'I’m looking at it'}
        </Button>
      )}
    </div>
  );
}

/** When the run starts or the call is allowed, once everybody has approved. */
function WhenItStarts({ request }: { readonly request: ApprovalRequestDetailView }) {
  if (request.state !== 'open' && request.state !== 'approved') return null;
  return (
    <div className="flex flex-col gap-1 text-sm text-muted">
      {request.start === 'on_approval' && (
        <p>
          {'call' in request
            ? 'Allowed with the last approval; denied if nobody answers in time.'
            : 'Starts automatically after the last approval.'}
        </p>
      )}
      {request.start === 'manual' && <p>Starts when somebody starts it, once everybody has approved.</p>}
      {request.start_at !== null && (
        <p>
          Starts at <Timestamp at={request.start_at} />, or once everybody has approved, if that is later.
        </p>
      )}
      {request.start_after !== null && (
        <p className="rounded-lg bg-warn-soft p-2 text-ink">
          A freeze holds the start back until <Timestamp at={request.start_after} />.
        </p>
      )}
    </div>
  );
}

function Actions({ request, onReview }: DecisionPanelProps) {
  const { person } = useSignedIn();
  const { closed } = useFolds();
  if (request.state === 'approved') return <Start request={request} />;
  if (request.state !== 'open') return null;
  if (request.may_review.outcome === 'deny')
    return (
      <div className="rounded-lg bg-sunken p-3 text-sm">
        <p className="font-medium">You cannot approve this.</p>
        <ul className="mt-1 flex flex-col gap-1 text-muted">
          {request.may_review.reasons.map(({ code, message }) => (
            <li key={code + message}>
              <InertText text={message} />
            </li>
          ))}
        </ul>
        {request.may_review.action !== null && <p className="mt-2">{request.may_review.action}</p>}
      </div>
    );
  return (
    <div className="flex flex-col gap-2">
      <SharedVote request={request} />
      {!hasApproved(request, person.id) && <OpenFolds />}
      {!hasApproved(request, person.id) && (
        <Button
          look="primary"
          disabled={closed > 0}
          onClick={() => {
            onReview('approve');
          }}
        >
          <Check aria-hidden className="size-4" /> Approve…
        </Button>
      )}
      {!('call' in request) && (
        <Button
          onClick={() => {
            onReview('request_changes');
          }}
        >
          <MessageSquareWarning aria-hidden className="size-4" /> Request changes…
        </Button>
      )}
      <Button
        look="danger-outline"
        onClick={() => {
          onReview('reject');
        }}
      >
        <X aria-hidden className="size-4" /> Reject…
      </Button>
    </div>
  );
}

/** Says that an approval would count for nothing, since the reader's vote is given already. */
function SharedVote({ request }: { readonly request: ApprovalRequestDetailView }) {
  const { shares_vote_with: others, action } = request.may_review;
  if (others.length === 0) return null;
  return (
    <div role="status" className="rounded-lg bg-warn-soft p-3 text-sm">
      <p>
        You have one vote together with <InertText text={others.map(({ display_name: name }) => name).join(', ')} />,
        who approved. Your approval would not count as another one.
      </p>
      <p className="mt-1">{action}</p>
    </div>
  );
}

function Start({ request }: { readonly request: ApprovalRequestDetailView }) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const start = useMutation({
    meta: { said: 'The run starts.' },
    mutationFn: () => api.post('/v1/plans/{id}/runs', { path: { id: request.subject.id } }),
    onSuccess: () => readAllAgain(queries),
  });
  if (start.data !== undefined)
    return (
      <Link className="text-sm font-medium text-accent underline" to={`/runs/${start.data.id}`}>
        Watch the run
      </Link>
    );
  if (request.start !== 'manual') return null;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        Everybody has approved it. Any person here may start it; your name is recorded.
      </p>
      <Button
        look="primary"
        onClick={() => {
          setAsking(true);
        }}
      >
        <Play aria-hidden className="size-4" /> Start the run…
      </Button>
      {asking && (
        <Dialog
          title="Start the run?"
          description={
            <>
              <InertText text={request.headline} /> in {request.environment.name} begins at once.
            </>
          }
          onClose={() => {
            setAsking(false);
          }}
        >
          {start.error !== null && <ErrorNote error={start.error} />}
          <div className="flex justify-end gap-2">
            <Button
              onClick={() => {
                setAsking(false);
              }}
            >
              Not now
            </Button>
            <Button
              look="primary"
              busy={start.isPending}
              onClick={() => {
                start.mutate();
              }}
            >
              Start in {request.environment.name}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
