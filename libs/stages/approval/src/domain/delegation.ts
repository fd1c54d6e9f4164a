import type { ApprovalSlot } from '#lib/formats';
import type { HeldRole, PersonId } from '#lib/kernel';
import { rolesBefore, type ApprovalRequest, type ExcludedPerson, type Reviewable } from './approval-request.js';
import { fills } from './match-quorum.js';

/** The people who can never review a request. No delegate can review it for them, either. Policy has the last word. */
export const excludedIds = (
  { excluded, requester }: Pick<ApprovalRequest, 'excluded' | 'requester'>,
  more: readonly ExcludedPerson[] = [],
): ReadonlySet<PersonId> =>
  new Set([
    ...[...excluded, ...more].map(({ personId }) => personId),
    ...(requester.kind === 'person' ? [requester.id] : []),
  ]);

/** Roles that an absent person has delegated, as far as that person still holds them. */
export interface Delegation {
  /** The absent person. */
  readonly personId: PersonId;
  readonly roles: readonly HeldRole[];
  /** The moment of the delegation, and the time in which it counts. Epoch milliseconds. */
  readonly madeAt: number;
  readonly from: number;
  readonly until: number;
}

/** The roles of a review: the reviewer's own, or those that one person delegated. */
export interface ReviewerRoles {
  readonly roles: readonly HeldRole[];
  readonly delegation: Delegation | null;
}

/**
 * Own roles come first. Delegated roles are used only if the own ones fill no slot of the request. Then those of a
 * single person are used. Policy decides whether they count.
 *
 * @param excluded the people who can never review the request.
 */
export function rolesForReview(
  request: Reviewable,
  own: readonly HeldRole[],
  delegations: readonly Delegation[],
  now: number,
  excluded: ReadonlySet<PersonId>,
): ReviewerRoles {
  const slots = request.decision.obligations.approvals;
  const mayFill = (roles: readonly HeldRole[]): boolean => fillsAny(slots, rolesBefore(roles, request.openedAt));
  if (mayFill(own)) return { roles: own, delegation: null };
  const fitting = delegations.filter(({ roles }) => mayFill(roles));
  const counting = fitting.filter(
    ({ personId, madeAt, from, until }) =>
      madeAt < request.openedAt && from <= now && now < until && !excluded.has(personId),
  );
  // If none may be used, policy names the reason from the first.
  const delegation = counting[0] ?? fitting[0];
  return delegation === undefined ? { roles: own, delegation: null } : { roles: delegation.roles, delegation };
}

const fillsAny = (slots: readonly ApprovalSlot[], held: readonly HeldRole[]): boolean => {
  const roles = held.map(({ role }) => role);
  return slots.some((slot) => fills(slot, roles));
};
