import { err, ok, type Result } from '#lib/kernel';
import { subjectInWords, type ApprovalRequest, type ClosedReason, type Review } from './approval-request.js';
import { boundDigest } from './binding.js';
import { decideApproval, type ApprovalEvent } from './decide-approval.js';
import { matchQuorum, type Approver, type Quorum } from './match-quorum.js';

/** A request with the reviews that count on it: one a person. */
export interface ReviewedRequest {
  readonly request: ApprovalRequest;
  readonly reviews: readonly Review[];
}

export interface ReviewOutcome {
  readonly next: ApprovalRequest;
  /** The reviews that count now. */
  readonly reviews: readonly Review[];
  /** The same person's earlier review, which counts no more. */
  readonly replaced: Review | null;
  readonly quorum: Quorum;
  /** The event of the request; null if it only has one more review. */
  readonly event: 'approved' | 'denied' | 'changes_requested' | null;
}

/**
 * The effect of a review on a request. One reject or request_changes closes it, and a complete quorum approves it.
 * Until then it stays open. Whether this person may review at all was decided before, by policy.
 *
 * @returns `approval.digest_mismatch` if the reviewer saw another subject, else as {@link decideApproval}.
 */
export function decideReview(current: ReviewedRequest, review: Review, now: number): Result<ReviewOutcome> {
  const { request } = current;
  const close = decideApproval(request, closing(review), now);
  if (!close.ok) return close;
  if (review.subjectDigest !== boundDigest(request.binding)) {
    return err({
      kind: 'conflict',
      code: 'approval.digest_mismatch',
      message: `The ${subjectInWords(request.subject)} that was reviewed is not the one that this request is about.`,
      action: 'Read the request again, and send the subject_digest that it shows.',
      errors: [
        {
          pointer: '/subject_digest',
          code: 'approval.digest_mismatch',
          message: `must be ${boundDigest(request.binding)}`,
        },
      ],
    });
  }
  const replaced = current.reviews.find((earlier) => earlier.personId === review.personId) ?? null;
  const reviews = [...current.reviews.filter((earlier) => earlier !== replaced), review];
  const quorum = quorumOf(request, reviews);
  const settled = { reviews, replaced, quorum };
  if (review.verdict === 'reject') return ok({ ...settled, next: close.value, event: 'denied' });
  if (review.verdict === 'request_changes') return ok({ ...settled, next: close.value, event: 'changes_requested' });
  return ok(
    quorum.complete ? { ...settled, next: close.value, event: 'approved' } : { ...settled, next: request, event: null },
  );
}

/** The slots of the request, as its approvals fill them. */
export const quorumOf = (request: ApprovalRequest, reviews: readonly Review[]): Quorum =>
  matchQuorum(request.decision.obligations.approvals, approversIn(reviews));

/** True if one more approval would count for an open slot. Shared votes count once. */
export const fillsMore = (request: ApprovalRequest, reviews: readonly Review[], more: Approver): boolean =>
  matchQuorum(request.decision.obligations.approvals, [...approversIn(reviews), more]).filled.length >
  quorumOf(request, reviews).filled.length;

/** The approvers, as their reviews fixed them. */
export const approversIn = (reviews: readonly Review[]): Approver[] =>
  reviews
    .filter((review) => review.verdict === 'approve')
    .map((review) => ({
      personId: review.personId,
      roles: review.roles.map(({ role }) => role),
      delegatedBy: review.delegatedBy,
      sharedWith: review.seat.sharedWith,
    }));

/** The event that this verdict brings about, an approval's if it is the last one needed. */
function closing(review: Review): ApprovalEvent {
  switch (review.verdict) {
    case 'approve':
      return { name: 'approve' };
    case 'reject':
      return { name: 'deny', reason: verdictReason(review, 'approval.rejected', 'A reviewer rejected it.') };
    case 'request_changes':
      return {
        name: 'request_changes',
        reason: verdictReason(review, 'approval.changes_requested', 'A reviewer asked for changes.'),
      };
  }
}

const verdictReason = (review: Review, code: string, message: string): ClosedReason => ({
  code,
  message,
  details: { review_id: review.id, person_id: review.personId },
});
