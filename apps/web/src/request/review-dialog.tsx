import { lazy, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { ApprovalRequestDetailView } from '#lib/api-schemas';
import type { Verdict } from '#lib/formats';
import { visibleText } from '#lib/words';
import { ApiError } from '../api/api-error.js';
import { useSubmitReview } from '../api/requests.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { Facts } from '../components/facts.js';
import { JsonValue } from '../components/json-value.js';
import { useFolds } from '../what-is-done/folds.js';
import { OpenFolds } from '../what-is-done/open-folds.js';
import { ClosedMeanwhile } from './closed-meanwhile.js';
import { Skeleton } from '../components/skeleton.js';

const StepUpForm = lazy(() => import('../step-up/step-up-form.js').then((module) => ({ default: module.StepUpForm })));

interface ReviewDialogProps {
  readonly request: ApprovalRequestDetailView;
  readonly verdict: Verdict;
  readonly onClose: () => void;
}

const HINTS = { approve: 'Optional; stands beside your approval in the evidence.', reject: 'Optional.' } as const;

const REJECTING = 'Closes the request. The requester reads your comment.';

/** The effect of a call is a sentence that names the environment; the headline of a plan is none. */
const whatIsApproved = (request: ReviewDialogProps['request']): string =>
  'call' in request
    ? visibleText(request.call.impact)
    : `${visibleText(request.headline)}, in ${request.environment.name}.`;

const TITLES = { approve: 'Approve', reject: 'Reject', request_changes: 'Request changes' } as const;

/** One review of exactly the shown plan or call: a comment, and a second factor if policy asks for it. */
export function ReviewDialog({ request, verdict, onClose }: ReviewDialogProps) {
  const [comment, setComment] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  // The reader read the plan of this digest, even if the plan changes behind the dialog.
  const [subjectDigest] = useState(request.subject.digest);
  const [confirmWord, setConfirmWord] = useState('');
  const [always, setAlways] = useState(false);
  const [proving, setProving] = useState(false);
  const { closed } = useFolds();
  const submit = useSubmitReview(request.id, verdict);
  const asksForProof = verdict === 'approve' && request.decision.obligations.mfa;
  const send = (stepUpId: string | null): void => {
    submit.mutate(
      { comment, subjectDigest, stepUpId, confirmWord: confirmWord.trim(), always },
      {
        onSuccess: onClose,
        onError: (error) => {
          setProving(error instanceof ApiError && error.code === 'mfa.required');
        },
      },
    );
  };
  // A call that is rejected is over; a plan may have another revision.
  const needsComment = verdict !== 'approve' && !('call' in request);
  const word = verdict === 'approve' ? request.decision.obligations.confirm_word : undefined;
  const covers = verdict === 'approve' && 'call' in request ? request.call.always_covers : null;
  const unread = verdict === 'approve' && closed > 0;
  // The reader's own answer closes the request, too.
  if (request.state !== 'open' && !submit.isPending && !submit.isSuccess)
    return <ClosedMeanwhile request={request} comment={comment} onClose={onClose} />;
  return (
    <Dialog
      title={TITLES[verdict]}
      description={verdict === 'approve' ? whatIsApproved(request) : REJECTING}
      onClose={onClose}
    >
      {proving && (
        <Suspense fallback={<Skeleton className="h-32" />}>
          {always && <p className="mb-3 text-sm">You also allow later calls like this one in this session.</p>}
          {word !== undefined && <p className="mb-3 text-sm">You typed {word}: this call destroys something.</p>}
          <StepUpForm
            operation={{
              kind: 'review',
              request_id: request.id,
              verdict,
              subject_digest: subjectDigest,
              comment: comment.trim(),
              ...(always ? { always } : {}),
              ...(word === undefined ? {} : { confirm_word: word }),
            }}
            busy={submit.isPending}
            onProved={send}
          />
          {submit.error !== null && <ErrorNote error={submit.error} />}
          <Button
            size="sm"
            look="quiet"
            className="mt-3"
            disabled={submit.isPending}
            onClick={() => {
              // This button leaves with the focus, and a hidden field takes none.
              flushSync(() => {
                setProving(false);
              });
              field.current?.focus();
            }}
          >
            Back to your comment
          </Button>
        </Suspense>
      )}
      {/* It stays while the second factor is asked for: the dialog then asks before it drops the typed text. */}
      <form
        hidden={proving}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (asksForProof) setProving(true);
          else send(null);
        }}
      >
        <Field
          label={verdict === 'approve' ? 'Comment' : 'What is wrong'}
          hint={needsComment ? undefined : HINTS[verdict === 'approve' ? 'approve' : 'reject']}
        >
          {(control) => (
            <textarea
              {...control}
              ref={field}
              autoFocus
              rows={3}
              maxLength={4_000}
              required={needsComment}
              value={comment}
              onChange={(event) => {
                setComment(event.target.value);
              }}
            />
          )}
        </Field>
        {word !== undefined && (
          <Field label={`Type ${word} to approve`} hint="This call destroys something.">
            {(control) => (
              <input
                {...control}
                required
                autoComplete="off"
                value={confirmWord}
                onChange={(event) => {
                  setConfirmWord(event.target.value);
                }}
              />
            )}
          </Field>
        )}
        {covers !== null && (
          <div className="flex flex-col gap-2 text-sm">
            <label className="flex items-start gap-2">
              <input
                type="checkbox"
                className="mt-1"
                checked={always}
                onChange={(event) => {
                  setAlways(event.target.checked);
                }}
              />
              Always allow calls like this one in this session: of this tool, with the same values here.
            </label>
            <div className="ml-6 rounded-lg bg-sunken px-3 py-2">
              <Facts
                facts={Object.entries(covers).map(([name, value]) => [name, <JsonValue value={value} />] as const)}
              />
            </div>
            <p className="ml-6 text-muted">You can take it back on the page of the session.</p>
          </div>
        )}
        <p className="text-xs break-all text-muted">
          You decide on {'call' in request ? 'call' : 'plan'} digest <code className="font-mono">{subjectDigest}</code>
        </p>
        {unread && <OpenFolds />}
        {submit.error !== null && <ErrorNote error={submit.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look={verdict === 'approve' ? 'primary' : 'danger'}
            busy={submit.isPending}
            disabled={unread}
          >
            {asksForProof ? 'Continue to the second factor' : TITLES[verdict]}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
