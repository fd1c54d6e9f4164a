import type { Decision } from '#lib/contracts';
import { WAYS_TO_A_VOTE } from '#lib/identity';

/** Whether somebody may not review because they share a vote with somebody who takes part. */
export const sharesVote = ({ reasons }: Pick<Decision, 'reasons'>): boolean =>
  reasons.some(({ code }) => code === 'review.same_hand');

/** What somebody does who may not review. */
export const wayOut = (decision: Pick<Decision, 'reasons'>): string =>
  sharesVote(decision)
    ? WAYS_TO_A_VOTE
    : 'Leave it to somebody who may: the request says whose approval it waits for, and who cannot review it.';
