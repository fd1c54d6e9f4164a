import type { ApprovalSlot } from '#lib/formats';
import type { HeldRole, PersonId } from '#lib/kernel';
import { rolesBefore, type ApprovalRequest, type ExcludedPerson, type Reviewable } from './approval-request.js';
import { fills } from './match-quorum.js';

/** Who can never review a request, so that nobody can for them; policy has the last word. */
export const neverFor = (
  { excluded, requester }: Pick<ApprovalRequest, 'excluded' | 'requester'>,
  more: readonly ExcludedPerson[] = [],
): ReadonlySet<PersonId> =>
  new Set([
    ...[...excluded, ...more].map(({ personId }) => personId),
    ...(requester.kind === 'person' ? [requester.id] : []),
  ]);

/** What a person who is away has handed to somebody, as far as the one who is away still holds it. */
export interface Loan {
  /** Who is away. */
  readonly personId: PersonId;
  readonly roles: readonly HeldRole[];
  /** When it was handed over, and from when until when it counts: epoch milliseconds. */
  readonly madeAt: number;
  readonly from: number;
  readonly until: number;
}

/** With which roles somebody reviews: their own, or those of one person for whom they stand in. */
export interface Chair {
  readonly roles: readonly HeldRole[];
  readonly loan: Loan | null;
}

/**
 * One's own roles come first: somebody else's are used only where one's own fill no place of the request, and then those
 * of a single person. Policy then says whether that may be.
 *
 * @param excluded who can never review the request; nobody can for them.
 */
export function chairFor(
  request: Reviewable,
  own: readonly HeldRole[],
  loans: readonly Loan[],
  now: number,
  excluded: ReadonlySet<PersonId>,
): Chair {
  const slots = request.decision.obligations.approvals;
  const mayFill = (roles: readonly HeldRole[]): boolean => fillsAny(slots, rolesBefore(roles, request.openedAt));
  if (mayFill(own)) return { roles: own, loan: null };
  const fitting = loans.filter(({ roles }) => mayFill(roles));
  const lent = fitting.filter(
    ({ personId, madeAt, from, until }) =>
      madeAt < request.openedAt && from <= now && now < until && !excluded.has(personId),
  );
  // Where none may be used, the first says why.
  const loan = lent[0] ?? fitting[0];
  return loan === undefined ? { roles: own, loan: null } : { roles: loan.roles, loan };
}

const fillsAny = (slots: readonly ApprovalSlot[], held: readonly HeldRole[]): boolean => {
  const roles = held.map(({ role }) => role);
  return slots.some((slot) => fills(slot, roles));
};
