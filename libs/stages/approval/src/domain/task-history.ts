import type { ApprovalState } from '#lib/formats';
import type { ApprovalRequestId, PersonId, PlanId } from '#lib/kernel';
import type { Review } from './approval-request.js';

/** A request among those of its task. Times are epoch milliseconds. */
export interface RequestOfTask {
  readonly id: ApprovalRequestId;
  readonly planId: PlanId;
  readonly revision: number;
  readonly state: ApprovalState;
  readonly openedAt: number;
}

/** A change that a person asked for of an earlier revision. */
export interface ChangesAsked {
  readonly requestId: ApprovalRequestId;
  readonly planId: PlanId;
  readonly revision: number;
  readonly personId: PersonId;
  readonly comment: string;
  readonly at: number;
}

/** The states of a closed request without a run: the next request of the task takes its place. */
const CAME_TO_NOTHING: readonly ApprovalState[] = ['denied', 'changes_requested', 'expired', 'voided'];

const gaveWay = (one: RequestOfTask | undefined): one is RequestOfTask =>
  one !== undefined && CAME_TO_NOTHING.includes(one.state);

/**
 * Which request a request took the place of, and which took its own; null if none did.
 *
 * @param all the task's requests, in the order in which they were opened.
 */
export function neighboursOf(
  all: readonly RequestOfTask[],
  id: ApprovalRequestId,
): { readonly replaces: RequestOfTask | null; readonly replacedBy: RequestOfTask | null } {
  const index = all.findIndex((one) => one.id === id);
  const [before, own, after] = [all[index - 1], all[index], all[index + 1]];
  return { replaces: gaveWay(before) ? before : null, replacedBy: gaveWay(own) ? (after ?? null) : null };
}

/** Everything that people asked to be changed of these requests, the earliest first. */
export const changesAskedOf = (
  requests: readonly RequestOfTask[],
  reviews: ReadonlyMap<ApprovalRequestId, readonly Review[]>,
): ChangesAsked[] =>
  requests.flatMap(({ id, planId, revision }) =>
    (reviews.get(id) ?? [])
      .filter(({ verdict }) => verdict === 'request_changes')
      .map(({ personId, comment, createdAt }) => ({
        requestId: id,
        planId,
        revision,
        personId,
        comment,
        at: createdAt,
      })),
  );
