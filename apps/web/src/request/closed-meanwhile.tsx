import type { ApprovalRequestDetailView } from '#lib/api-schemas';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { StateBadge } from '../components/state-badge.js';
import { Reviews } from './reviews.js';

interface ClosedMeanwhileProps {
  readonly request: ApprovalRequestDetailView;
  /** The comment that the reader had typed. */
  readonly comment: string;
  readonly onClose: () => void;
}

/** Takes the place of an open review dialog if the request closed behind it: who answered and how, and that the reader did not. */
export function ClosedMeanwhile({ request, comment, onClose }: ClosedMeanwhileProps) {
  const { reviews, closed_reason: reason } = request;
  return (
    <Dialog
      title={reviews.length === 0 ? 'Closed meanwhile' : 'Answered meanwhile'}
      description="You gave no answer, and none is needed any more."
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <StateBadge state={request.state} />
          {reason !== null && <InertText text={reason.message} />}
        </p>
        {reviews.length > 0 && <Reviews reviews={reviews} />}
        {comment.trim() !== '' && (
          <div className="text-sm">
            <p className="font-medium">Your comment was not sent</p>
            <p className="mt-1 break-words whitespace-pre-wrap text-muted">{comment}</p>
          </div>
        )}
        <div className="flex justify-end">
          <Button autoFocus onClick={onClose}>
            Close
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
