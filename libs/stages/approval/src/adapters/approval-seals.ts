import type { Json } from '#lib/canonical';
import { requireSeal, type RowSeals, type SealedRow, type Tx } from '#lib/kernel';
import type { ApprovalRequest, Review } from '../domain/approval-request.js';
import { requestOf, reviewOf, type RequestRow, type ReviewRow } from './approval-rows.js';

/** As a column of JSON gives it back. */
const stored = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/**
 * The question of a request, its reviewers, and its terms. Its state is left out, since it changes. The start of a run
 * works the quorum out from sealed reviews again.
 */
export const sealedRequest = (tx: Tx, request: ApprovalRequest): SealedRow => ({
  table: 'approval_request',
  tenantId: tx.tenantId,
  id: request.id,
  columns: {
    subject: stored(request.subject),
    binding_digest: request.bindingDigest,
    binding: stored(request.binding),
    decision_id: request.decisionId,
    decision: stored(request.decision),
    autonomy_revision_id: request.autonomyRevisionId,
    bundle_revision: request.bundleRevision,
    excluded: stored(request.excluded),
    requester: stored(request.requester),
    headline: request.headline,
    start: request.start.kind,
  },
});

/** All of a review but when another replaced it. */
export const sealedReview = (tx: Tx, requestId: string, review: Review): SealedRow => ({
  table: 'review',
  tenantId: tx.tenantId,
  id: review.id,
  columns: {
    request_id: requestId,
    person_id: review.personId,
    credential_id: review.credentialId,
    verdict: review.verdict,
    comment: review.comment,
    roles: stored(review.roles),
    delegated_by: review.delegatedBy,
    seat: stored(review.seat),
    subject_digest: review.subjectDigest,
    always: review.always,
    confirm_word: review.confirmWord,
    decision_id: review.decisionId,
    created_at: review.createdAt,
    mfa: stored(review.mfa),
  },
});

/** @throws {FailureError} `record.not_authentic`. */
export async function authenticRequest(seals: RowSeals, tx: Tx, row: RequestRow): Promise<ApprovalRequest> {
  const request = requestOf(row);
  await requireSeal(seals, sealedRequest(tx, request), row.seal);
  return request;
}

/** @throws {FailureError} `record.not_authentic`. */
export async function authenticReviews(
  seals: RowSeals,
  tx: Tx,
  rows: readonly ReviewRow[],
): Promise<readonly Review[]> {
  const reviews: Review[] = [];
  for (const row of rows) {
    const review = reviewOf(row);
    await requireSeal(seals, sealedReview(tx, row.requestId, review), row.seal);
    reviews.push(review);
  }
  return reviews;
}
