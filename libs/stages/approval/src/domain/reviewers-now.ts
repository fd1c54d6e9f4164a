import type { ApprovalFacts } from '#lib/policy-inputs';
import type { Actor, PersonId } from '#lib/kernel';
import { rolesBefore } from './approval-request.js';
import { quorumOf, type ReviewedRequest } from './decide-review.js';
import type { Absence } from './absence.js';
import type { Delegation } from './delegation.js';
import type { PersonStanding } from './policy-inputs.js';

/** People with the roles that count now. */
export type Holders = ReadonlyMap<PersonId, Pick<PersonStanding, 'disabled' | 'roles'>>;

/** The people who fill the quorum, as they stand now. */
export interface FilledBy {
  readonly reviewers: ApprovalFacts['reviewers'];
  /** The disabled people among them. */
  readonly disabled: readonly string[];
}

/**
 * @param reviewed the request with the reviews that count.
 * @param holders everybody who approved.
 * @param delegations those to people who approved for another.
 */
export function reviewersNow(
  { request, reviews }: ReviewedRequest,
  holders: Holders,
  delegations: ReadonlyMap<PersonId, readonly Delegation[]>,
): FilledBy {
  const { filled } = quorumOf(request, reviews);
  const reviewOf = new Map(reviews.map((review) => [review.personId, review]));
  const disabled = filled
    .filter(({ personId }) => holders.get(personId)?.disabled ?? true)
    .map(({ personId }) => personId);
  const reviewers = filled.map(({ personId, roles }) => {
    const { delegatedBy: delegator = null, seat = null } = reviewOf.get(personId) ?? {};
    // The review checked the dates. Roles that were taken back, or that the delegator lost, no longer count.
    const held =
      delegator === null
        ? (holders.get(personId)?.roles ?? [])
        : (delegations.get(personId) ?? [])
            .filter((delegation) => delegation.personId === delegator && delegation.madeAt < request.openedAt)
            .flatMap(({ roles }) => roles);
    return {
      person_id: personId,
      delegated_by: delegator,
      shared_with: [...(seat?.sharedWith ?? [])],
      roles: [...new Set(rolesBefore(held, request.openedAt).map(({ role }) => role))],
      slot_roles: [...roles],
    };
  });
  return { reviewers, disabled };
}

/** The absences delegated to each person, with the roles that the absent person still holds. A disabled one holds none. */
export function delegationsIn(
  absences: readonly Absence[],
  holders: Holders,
): ReadonlyMap<PersonId, readonly Delegation[]> {
  const delegations = new Map<PersonId, Delegation[]>();
  for (const { personId, delegateId, roles, from, until, createdAt: madeAt } of absences) {
    const delegator = holders.get(personId);
    if (delegator === undefined || delegator.disabled) continue;
    const held = delegator.roles.filter(({ role }) => roles.includes(role));
    delegations.set(delegateId, [
      ...(delegations.get(delegateId) ?? []),
      { personId, roles: held, madeAt, from, until },
    ]);
  }
  return delegations;
}

/** The people who approved, with their delegators. */
export const approvedBy = ({ reviews }: Pick<ReviewedRequest, 'reviews'>): readonly PersonId[] =>
  reviews
    .filter(({ verdict }) => verdict === 'approve')
    .flatMap(({ personId, delegatedBy }) => (delegatedBy === null ? [personId] : [personId, delegatedBy]));

/** The roles that the actor holds now. Only people who are not disabled hold any. */
export function rolesNow({ kind, id }: Pick<Actor, 'kind' | 'id'>, holders: Holders): readonly string[] {
  if (kind !== 'person') return [];
  // The id of an actor of this kind is a person's.
  const person = holders.get(id as PersonId);
  return person === undefined || person.disabled ? [] : person.roles.map(({ role }) => role);
}
