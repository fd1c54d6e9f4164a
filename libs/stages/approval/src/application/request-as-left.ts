import type { Tx } from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import type { HeldSubject, People, RequestAsLeft } from './approval.ports.js';

/** A request whose reviews and claim stay as they were held. */
export async function requestAsLeft(
  tx: Tx,
  people: Pick<People, 'standing'>,
  request: ApprovalRequest,
  { subject, claim, now, ...held }: Pick<HeldSubject, 'subject' | 'claim' | 'now' | 'reviews'>,
): Promise<RequestAsLeft> {
  const reviews = await held.reviews();
  const named = [...reviews, ...(claim === null ? [] : [claim])].map(({ personId }) => personId);
  return { request, subject, reviews, people: await people.standing(tx, named), claim, now };
}
