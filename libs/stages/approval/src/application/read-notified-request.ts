import { err, notFound, ok, type ApprovalRequestId, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import { quorumOf } from '../domain/decide-review.js';
import { namesFor } from '../domain/name-people.js';
import { peopleInReviews } from '../domain/people-in-reviews.js';
import type { ApprovalSubjects, People } from './approval.ports.js';
import type { RequestDetail } from './read-requests.js';
import type { ReadTaskHistory } from './read-task-history.js';

/** A request as a message tells of it. Without a reader: no decision, and nothing that only the page shows. */
export interface NotifiedRequest extends Pick<
  RequestDetail,
  'request' | 'subject' | 'quorum' | 'people' | 'changesAsked'
> {
  /** The reviews that count, in the order they were given. */
  readonly reviews: readonly Pick<
    RequestDetail['reviews'][number],
    'personId' | 'verdict' | 'comment' | 'mfa' | 'seat'
  >[];
}

/** Reads requests for messages, in one statement as long as nobody has reviewed and nothing was asked before. */
export class ReadNotifiedRequest {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly subjects: Pick<ApprovalSubjects, 'readRequest'>,
    private readonly people: Pick<People, 'standing'>,
    private readonly history: Pick<ReadTaskHistory, 'around'>,
  ) {}

  /** Failures: `resource.not_found`. */
  execute(notifier: Principal, id: ApprovalRequestId): Promise<Result<NotifiedRequest>> {
    return this.uow.run(notifier.tenantId, async (tx) => {
      const found = await this.subjects.readRequest(tx, id);
      if (found === null) return err(notFound('approval request'));
      const { request, subject } = found;
      const [reviews, { changesAsked }] = await Promise.all([
        found.reviews(),
        subject.type === 'plan' && subject.plan.revision === 1
          ? { changesAsked: [] }
          : this.history.around(tx, request),
      ]);
      const named = [...peopleInReviews(reviews), ...changesAsked.map(({ personId }) => personId)];
      const people = await this.people.standing(tx, named);
      return ok({
        request,
        subject,
        reviews,
        quorum: quorumOf(request, reviews),
        people: namesFor(notifier, people),
        changesAsked,
      });
    });
  }
}
