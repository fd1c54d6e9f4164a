import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, MessageSquareWarning, Play, X } from 'lucide-react';
import { Link } from 'react-router';
import type { ApprovalRequestDetailView, RunView, Verdict } from '#lib/contracts';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { QuorumPlaces, QuorumProgress } from '../components/quorum.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeLeft } from '../components/times.js';

interface DecisionPanelProps {
  readonly request: ApprovalRequestDetailView;
  readonly onReview: (verdict: Verdict) => void;
}

/** Where the request stands, and what the reader can do about it. */
export function DecisionPanel({ request, onReview }: DecisionPanelProps) {
  return (
    <Card title="Decision" actions={<StateBadge state={request.state} />}>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
          <QuorumProgress quorum={request.quorum} />
          {request.state === 'open' && <TimeLeft until={request.expires_at} />}
          {request.state === 'granted' && request.grant_expires_at !== null && (
            <TimeLeft until={request.grant_expires_at} over="no longer good" />
          )}
        </div>
        <QuorumPlaces quorum={request.quorum} />
        <Actions request={request} onReview={onReview} />
      </div>
    </Card>
  );
}

function Actions({ request, onReview }: DecisionPanelProps) {
  if (request.state === 'granted') return <Start request={request} />;
  if (request.state !== 'open') return null;
  if (request.may_review.outcome === 'deny')
    return (
      <div className="rounded-lg bg-sunken p-3 text-sm">
        <p className="font-medium">You cannot approve this.</p>
        <ul className="mt-1 flex flex-col gap-1 text-muted">
          {request.may_review.reasons.map(({ code, message }) => (
            <li key={code + message}>{message}</li>
          ))}
        </ul>
      </div>
    );
  return (
    <div className="flex flex-col gap-2">
      <Button
        look="primary"
        onClick={() => {
          onReview('approve');
        }}
      >
        <Check aria-hidden className="size-4" /> Approve…
      </Button>
      <div className="grid grid-cols-2 gap-2">
        <Button
          onClick={() => {
            onReview('request_changes');
          }}
        >
          <MessageSquareWarning aria-hidden className="size-4" /> Changes…
        </Button>
        <Button
          look="danger-outline"
          onClick={() => {
            onReview('reject');
          }}
        >
          <X aria-hidden className="size-4" /> Reject…
        </Button>
      </div>
      {request.start === 'on_approval' && (
        <p className="text-sm text-muted">It starts by itself once everybody has approved.</p>
      )}
    </div>
  );
}

function Start({ request }: { readonly request: ApprovalRequestDetailView }) {
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: () => api.post<RunView>(`/v1/plans/${request.plan_id}/runs`),
    onSuccess: () => queries.invalidateQueries(),
  });
  if (start.data !== undefined)
    return (
      <Link className="text-sm font-medium text-accent underline" to={`/runs/${start.data.id}`}>
        Watch the run
      </Link>
    );
  if (request.start !== 'manual')
    return (
      <p className="text-sm text-muted">
        Approved. The run starts {request.start === 'at' ? 'at its time' : 'by itself'}.
      </p>
    );
  return (
    <div className="flex flex-col gap-2">
      <Button
        look="primary"
        busy={start.isPending}
        onClick={() => {
          start.mutate();
        }}
      >
        <Play aria-hidden className="size-4" /> Start the run
      </Button>
      {start.error !== null && <ErrorNote error={start.error} />}
    </div>
  );
}
