import {
  err,
  notFound,
  ok,
  type ApprovalRequestId,
  type PersonId,
  type PersonPrincipal,
  type Principal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import type { KnownBy } from '#lib/identity';
import { fillsMore, quorumOf } from '../domain/decide-review.js';
import { namesFor } from '../domain/name-people.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import { readerOf } from '../domain/reader-of.js';
import type { ApprovalRepository, People } from './approval.ports.js';
import type { AskReview, Question } from './ask-review.js';

/** So many people are asked about at most. */
const MAX_ASKED = 200;

export interface PossibleReviewers {
  /** The people with an approval that would count now, in the order of their names. */
  readonly reviewers: readonly { readonly personId: PersonId; readonly knownBy: readonly KnownBy[] }[];
  readonly people: ReadonlyMap<PersonId, PersonStanding>;
}

/**
 * People who could review an open request now. Policy would let them approve, and their approval would fill a place
 * that is still open. A person who would be refused for sharing a vote with an approver is not named here.
 */
export class ReadReviewers {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly requests: Pick<ApprovalRepository, 'find' | 'reviews'>,
    private readonly people: People,
    private readonly asking: AskReview,
  ) {}

  /** No people for a request that is closed. Failures: `resource.not_found`. */
  execute(by: Principal, id: ApprovalRequestId): Promise<Result<PossibleReviewers>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const request = await this.requests.find(tx, id);
      if (request === null) return err(notFound('approval request'));
      if (request.state !== 'open') return ok({ reviewers: [], people: new Map() });
      const reviews = await this.requests.reviews(tx, id);
      const roles = quorumOf(request, reviews).open.flatMap((slot) => slot.roles);
      const holders = await this.people.reviewing(tx, roles, MAX_ASKED);
      const waysIn = await this.people.waysIn(tx, holders);
      const standing = await this.people.standing(tx, [...holders, ...namedIn([...waysIn.values()].flat())]);
      const questions = await this.asking.questions(
        tx,
        holders.map((personId) => readerOf(by.tenantId, personId, 'review')),
      );
      const able = questions.filter((question) => {
        const personId = personOf(question);
        if (reviews.some((review) => review.personId === personId)) return false;
        if (this.asking.decide(request, question).outcome !== 'allow') return false;
        const seat = this.asking.seatOf(request, question);
        return seat !== null && fillsMore(request, reviews, seat);
      });
      const nameOf = (personId: PersonId): string => standing.get(personId)?.displayName ?? '';
      return ok({
        reviewers: able
          .map(personOf)
          .sort((one, other) => nameOf(one).localeCompare(nameOf(other), 'en'))
          .map((personId) => ({ personId, knownBy: waysIn.get(personId) ?? [] })),
        people: namesFor(by, standing),
      });
    });
  }
}

/** The people by whose word or hand others are known. */
const namedIn = (ways: readonly KnownBy[]): PersonId[] =>
  ways.flatMap(({ by, hand }) => [by, hand].filter((id) => id !== null));

// Only people are asked for their ways.
const personOf = ({ principal }: Question): PersonId => (principal as PersonPrincipal).personId;
