import type { Actor, PersonId, Tx } from '#lib/kernel';
import type { ReviewedRequest } from '../domain/decide-review.js';
import { type FilledBy, reviewersNow, rolesNow } from '../domain/reviewers-now.js';
import type { People, PeopleNow } from './approval.ports.js';

/** The people who fill the quorum, as they stand now. */
interface ReviewersNow extends FilledBy {
  readonly people: PeopleNow;
}

/** Reads the reviewers' standing now, for the decision at the start of a run. */
export class ReadStanding {
  constructor(private readonly people: People) {}

  /**
   * @param reviewed the request with the reviews that count.
   * @param known the standing of everybody who reviewed, if the caller has read it.
   */
  async reviewers(tx: Tx, reviewed: ReviewedRequest, known?: PeopleNow): Promise<ReviewersNow> {
    const approvals = reviewed.reviews.filter(({ verdict }) => verdict === 'approve');
    const standingIn = approvals.flatMap(({ personId, delegatedBy }) => (delegatedBy === null ? [] : [personId]));
    const delegations = standingIn.length === 0 ? new Map() : await this.people.delegations(tx, standingIn);
    const people =
      known ??
      (await this.people.standing(
        tx,
        approvals.map(({ personId }) => personId),
      ));
    return { ...reviewersNow(reviewed, people, delegations), people };
  }

  /** The roles that the actor holds now. Only people who are not disabled hold any. */
  async rolesOf(tx: Tx, actor: Pick<Actor, 'kind' | 'id'>, known?: PeopleNow): Promise<readonly string[]> {
    if (actor.kind !== 'person') return [];
    // The id of an actor of this kind is a person's.
    return rolesNow(actor, known ?? (await this.people.standing(tx, [actor.id as PersonId])));
  }
}
