import type { PersonPrincipal, UnitOfWork } from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import type { ApprovalRepository, QueueKey } from './approval.ports.js';
import type { AskReview } from './ask-review.js';
import type { ListedRequest, ReadRequests } from './read-requests.js';

/** One page of the requests that wait for a person. It may hold fewer than asked for and still not be the last. */
export interface QueuePage {
  readonly items: readonly ListedRequest[];
  readonly next: QueueKey | null;
}

/** How many open requests one call looks through, in one query. */
const MAX_LOOKED_AT = 500;

/**
 * The queue of one person: the open requests that policy lets them approve now and that they have not reviewed. The riskiest comes
 * first, then the one with most targets, then the one that ends first.
 */
export class ReadQueue {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly requests: Pick<ApprovalRepository, 'waiting'>,
    private readonly reading: ReadRequests,
    private readonly asking: AskReview,
  ) {}

  execute(by: PersonPrincipal, page: { readonly limit: number; readonly after: QueueKey | null }): Promise<QueuePage> {
    return this.uow.run(by.tenantId, async (tx) => {
      const question = await this.asking.question(tx, by);
      const looked = await this.requests.waiting(tx, by.personId, { limit: MAX_LOOKED_AT, after: page.after });
      const mine: ApprovalRequest[] = [];
      let last: ApprovalRequest | undefined;
      for (const request of looked) {
        if (mine.length === page.limit) break;
        last = request;
        if (this.asking.decide(request, question).outcome === 'allow') mine.push(request);
      }
      const ended = last === looked.at(-1) && looked.length < MAX_LOOKED_AT;
      return {
        items: await this.reading.listed(tx, by, mine, question.now),
        next:
          ended || last === undefined
            ? null
            : { risk: last.risk, targets: last.targets, expiresAt: last.expiresAt, id: last.id },
      };
    });
  }
}
