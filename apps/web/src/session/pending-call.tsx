import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { ApprovalRequestDetailView, SessionCallView } from '#lib/api-schemas';
import type { Verdict } from '#lib/formats';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { RiskBadge } from '../components/risk-badge.js';
import { TimeLeft } from '../components/times.js';
import { ReviewDialog } from '../request/review-dialog.js';
import { CountFolds } from '../what-is-done/folds.js';
import { CallContent } from './call-item.js';

interface PendingCallProps {
  readonly call: SessionCallView;
  /** Told once the reader opens or closes the dialog of an answer. The call stays shown as long, also if it waits no more. */
  readonly onAnswering: (answering: boolean) => void;
}

/** A call that waits for an answer. An approver opens its folded parts first. */
export function PendingCall({ call, onAnswering }: PendingCallProps) {
  const impactId = useId();
  return (
    <CountFolds>
      <Card
        className="border-warn/60"
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            Waits for an answer:{' '}
            <span className="font-mono break-all">
              <InertText text={call.tool} />
            </span>
            <RiskBadge level={call.risk} />
            <Badge tone="info">{call.category}</Badge>
          </span>
        }
        actions={call.answer_by !== null && <TimeLeft until={call.answer_by} over="denied, nobody answered" />}
      >
        <div className="flex flex-col gap-3">
          <p id={impactId} className="font-medium break-words">
            <InertText text={call.impact} />
          </p>
          <CallContent call={call} near />
          {call.request_id !== null && (
            <Answers requestId={call.request_id} aboutId={impactId} onAnswering={onAnswering} />
          )}
        </div>
      </Card>
    </CountFolds>
  );
}

interface AnswersProps {
  readonly requestId: string;
  /** Of the sentence about the call: several calls can wait, each with these buttons. */
  readonly aboutId: string;
  readonly onAnswering: PendingCallProps['onAnswering'];
}

/** The answers that the reader may give, by policy. */
function Answers({ requestId, aboutId, onAnswering }: AnswersProps) {
  const request = useQuery(queryOf('/v1/approval-requests/{id}', { path: { id: requestId } }));
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  if (request.isLoadingError) return <ErrorNote error={request.error} retry={() => void request.refetch()} />;
  if (request.data === undefined) return null;
  const choose = (chosen: Verdict | null): void => {
    setVerdict(chosen);
    onAnswering(chosen !== null);
  };
  return (
    <>
      {request.data.state === 'open' && <Choice may={request.data.may_review} aboutId={aboutId} onChoose={choose} />}
      {verdict !== null && (
        <ReviewDialog
          request={request.data}
          verdict={verdict}
          onClose={() => {
            choose(null);
          }}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly may: ApprovalRequestDetailView['may_review'];
  readonly aboutId: string;
  readonly onChoose: (verdict: Verdict) => void;
}

function Choice({ may, aboutId, onChoose }: ChoiceProps) {
  if (may.outcome === 'deny')
    return (
      <div className="rounded-lg bg-sunken p-3 text-sm">
        <p className="font-medium">You cannot answer this call.</p>
        <ul className="mt-1 text-muted">
          {may.reasons.map(({ code, message }) => (
            <li key={code + message}>
              <InertText text={message} />
            </li>
          ))}
        </ul>
      </div>
    );
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        look="primary"
        aria-describedby={aboutId}
        onClick={() => {
          onChoose('approve');
        }}
      >
        <Check aria-hidden className="size-4" /> Approve…
      </Button>
      <Button
        look="danger-outline"
        aria-describedby={aboutId}
        onClick={() => {
          onChoose('reject');
        }}
      >
        <X aria-hidden className="size-4" /> Reject…
      </Button>
    </div>
  );
}
