import type { ApprovalFacts } from '#lib/policy-inputs';
import type { Actor, PersonId, Tx } from '#lib/kernel';
import { rolesBefore, type ApprovalRequest } from '../domain/approval-request.js';
import { quorumOf, type ReviewedRequest } from '../domain/decide-review.js';
import { approvalFacts } from '../domain/policy-inputs.js';
import type { People, PeopleNow } from './approval.ports.js';

/** Those whose approvals fill the quorum, as they stand now. */
export interface ReviewersNow {
  readonly reviewers: ApprovalFacts['reviewers'];
  /** Those among them who are disabled. */
  readonly disabled: readonly string[];
  readonly people: PeopleNow;
}

/** How an approval stands at this moment, for the decision at the start of a run and before each of its steps. */
export class ReadStanding {
  constructor(private readonly people: People) {}

  /**
   * @param reviewed the request with the reviews that count.
   * @param known the standing of everybody who reviewed, if the caller has read it.
   */
  async reviewers(tx: Tx, { request, reviews }: ReviewedRequest, known?: PeopleNow): Promise<ReviewersNow> {
    const { filled } = quorumOf(request, reviews);
    const reviewOf = new Map(reviews.map((review) => [review.personId, review]));
    const standingIn = filled.flatMap(({ personId }) => (reviewOf.get(personId)?.onLoanFrom == null ? [] : [personId]));
    const loans = standingIn.length === 0 ? null : await this.people.loans(tx, standingIn);
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
      const { onLoanFrom: lender = null, seat = null } = reviewOf.get(personId) ?? {};
      // The dates were looked at when they reviewed; what was taken back, or the lender lost, counts no more.
      const held =
        lender === null
          ? (standing.get(personId)?.roles ?? [])
          : (loans?.get(personId) ?? [])
              .filter((loan) => loan.personId === lender && loan.madeAt < request.openedAt)
              .flatMap((loan) => loan.roles);
      return {
        person_id: personId,
        on_loan_from: lender,
        shared_with: [...(seat?.sharedWith ?? [])],
        roles: [...new Set(rolesBefore(held, request.openedAt).map(({ role }) => role))],
        slot_roles: [...roles],
      };
    });
    return { reviewers, disabled, people: standing };
  }

  /** The roles that somebody holds now; nobody but a person who is not disabled holds any. */
  async rolesOf(tx: Tx, { kind, id }: Pick<Actor, 'kind' | 'id'>, known?: PeopleNow): Promise<readonly string[]> {
    if (kind !== 'person') return [];
    const personId = id as PersonId;
    const person = (known ?? (await this.people.standing(tx, [personId]))).get(personId);
    return person === undefined || person.disabled ? [] : person.roles.map(({ role }) => role);
  }

  /** The request as policies see it; `reviewers` from {@link reviewers}. */
  facts(request: ApprovalRequest, reviewers: ApprovalFacts['reviewers']): ApprovalFacts {
    return approvalFacts(request, reviewers);
  }
}
