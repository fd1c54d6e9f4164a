import type { ApprovalRequestDetailView } from '#lib/api-schemas';
import type { Verdict } from '#lib/formats';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { StateBadge } from '../components/state-badge.js';
import { Reviews } from './reviews.js';

interface ClosedMeanwhileProps {
  readonly request: ApprovalRequestDetailView;
  /** The comment that the reader typed in the dialog. */
  readonly comment: string;
  readonly onClose: () => void;
}

const ANSWERED: Readonly<Record<Verdict, string>> = {
  approve: 'you approved it',
  reject: 'you rejected it',
  request_changes: 'you requested changes',
};

/**
 * Takes the place of an open review dialog if the request closed behind it: who answered and how. The reader may be one of them,
 * in another tab. Or they answered in this dialog, and the response to their answer was lost.
 */
export function ClosedMeanwhile({ request, comment, onClose }: ClosedMeanwhileProps) {
  const { person } = useSignedIn();
  const { reviews, closed_reason: reason } = request;
  const own = reviews.findLast((review) => review.person.id === person.id);
  const typed = comment.trim();
  return (
    <Dialog
      title={reviews.length === 0 ? 'Closed meanwhile' : 'Answered meanwhile'}
      description={
        own === undefined
          ? 'You gave no answer, and none is needed any more.'
          : `You answered: ${ANSWERED[own.verdict]}. No other answer is needed.`
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <StateBadge state={request.state} />
          {reason !== null && <InertText text={reason.message} />}
        </p>
        {reviews.length > 0 && <Reviews reviews={reviews} />}
        {typed !== '' && typed !== own?.comment && (
          <div className="text-sm">
            <p className="font-medium">
              {/* An answer keeps its comment with secrets masked. */}
              {own === undefined ? 'Your comment was not sent' : 'Your answer does not have this comment word for word'}
            </p>
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
