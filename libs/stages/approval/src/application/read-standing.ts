import type { ApprovalFacts } from '#lib/policy-inputs';
import type { Actor, PersonId, Tx } from '#lib/kernel';
import { rolesBefore } from '../domain/approval-request.js';
import { quorumOf, type ReviewedRequest } from '../domain/decide-review.js';
import type { People, PeopleNow } from './approval.ports.js';

/** The people who fill the quorum, as they stand now. */
export interface ReviewersNow {
  readonly reviewers: ApprovalFacts['reviewers'];
  /** The disabled people among them. */
  readonly disabled: readonly string[];
  readonly people: PeopleNow;
}

/** Reads the reviewers' standing now, for the decisions at the start of a run and before each of its steps. */
export class ReadStanding {
  constructor(private readonly people: People) {}

  /**
   * @param reviewed the request with the reviews that count.
   * @param known the standing of everybody who reviewed, if the caller has read it.
   */
  async reviewers(tx: Tx, { request, reviews }: ReviewedRequest, known?: PeopleNow): Promise<ReviewersNow> {
    const { filled } = quorumOf(request, reviews);
    const reviewOf = new Map(reviews.map((review) => [review.personId, review]));
    const standingIn = filled.flatMap(({ personId }) =>
      reviewOf.get(personId)?.delegatedBy == null ? [] : [personId],
    );
    const delegations = standingIn.length === 0 ? null : await this.people.delegations(tx, standingIn);
    const standing =
      known ??
      (await this.people.standing(
        tx,
        filled.map(({ personId }) => personId),
      ));
    const disabled = filled
      .filter(({ personId }) => standing.get(personId)?.disabled ?? true)
      .map(({ personId }) => personId);
    const reviewers = filled.map(({ personId, roles }) => {
      const { delegatedBy: delegator = null, seat = null } = reviewOf.get(personId) ?? {};
      // The review checked the dates. Roles that were taken back, or that the delegator lost, no longer count.
      const held =
        delegator === null
          ? (standing.get(personId)?.roles ?? [])
          : (delegations?.get(personId) ?? [])
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
    return { reviewers, disabled, people: standing };
  }

  /** The roles that the actor holds now. Only people who are not disabled hold any. */
  async rolesOf(tx: Tx, { kind, id }: Pick<Actor, 'kind' | 'id'>, known?: PeopleNow): Promise<readonly string[]> {
    if (kind !== 'person') return [];
    // The actor is a person.
    const personId = id as PersonId;
    const person = (known ?? (await this.people.standing(tx, [personId]))).get(personId);
    return person === undefined || person.disabled ? [] : person.roles.map(({ role }) => role);
  }
}
