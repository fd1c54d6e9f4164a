import type { Decision } from '#lib/formats';
import { WAYS_TO_A_VOTE } from '#lib/identity';

/** Whether somebody may not review because they share a vote with somebody who takes part. */
export const sharesVote = ({ reasons }: Pick<Decision, 'reasons'>): boolean =>
  reasons.some(({ code }) => code === 'review.same_hand');

/** The next step of a person who may not start a plan. @param openRequestId the request of the plan that is still open; null for none. */
export const wayToStart = (decision: Pick<Decision, 'reasons'>, openRequestId: string | null): string =>
  !decision.reasons.some(({ code }) => code === 'approval.required')
    ? 'Read the reasons, and fix each of them.'
    : openRequestId === null
      ? 'Ask for the approval of the plan.'
      : `Wait until enough people have approved: the request ${openRequestId} is still open, and says who is missing.`;

/** The next step of a person who may not review. */
export const wayOut = (decision: Pick<Decision, 'reasons'>): string =>
  decision.reasons.every(({ code }) => code === 'review.browser_only')
    ? 'Sign in with a browser and answer there, or with the buttons in Slack.'
    : sharesVote(decision)
      ? WAYS_TO_A_VOTE
      : decision.reasons.some(({ code }) => code === 'review.role')
        ? 'Leave it to somebody who may. Only a role that you held before the request opened counts. The request says which roles it waits for.'
        : 'Leave it to somebody who may: the request says whose approval it waits for, and who cannot review it.';
