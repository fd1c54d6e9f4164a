import type { FirstDelivery } from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import { quorumOf } from '../domain/decide-review.js';
import type { NotifiedRequest } from './read-notified-request.js';

/**
 * The first delivery of a new request. The transaction that opens the request has its facts in hand.
 *
 * @returns undefined if this process sends enough already.
 */
export type DeliverOpened = (told: NotifiedRequest) => FirstDelivery | undefined;

/**
 * A new request as a message tells of it. Null for a later revision of a plan. Its message also tells of changes that
 * people asked of earlier ones, which this transaction has not read.
 */
export function notifiedAsOpened(request: ApprovalRequest, subject: ApprovalSubject): NotifiedRequest | null {
  if (subject.type === 'plan' && subject.plan.revision !== 1) return null;
  return { request, subject, reviews: [], quorum: quorumOf(request, []), people: new Map(), changesAsked: [] };
}
