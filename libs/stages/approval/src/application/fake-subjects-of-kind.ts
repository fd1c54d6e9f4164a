import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ApprovalRequestId, Tx } from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import type {
  ApprovalRepository,
  ClaimRepository,
  HeldRequest,
  HeldSubject,
  SubjectsOfKind,
} from './approval.ports.js';

/** Holds the subjects of one kind, as the test says that they are now. */
export class FakeSubjectsOfKind<Subject extends ApprovalSubject, Id extends string> implements SubjectsOfKind<
  Subject,
  Id
> {
  /** By id. */
  readonly rows: FakeTable<Subject>;

  constructor(
    uow: FakeUnitOfWork,
    protected readonly requests: Pick<ApprovalRepository, 'find' | 'lock' | 'lockLive' | 'reviews'>,
    private readonly claims: Pick<ClaimRepository, 'claim'>,
  ) {
    this.rows = new FakeTable(uow);
  }

  async holdRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest<Subject> | null> {
    return this.#of(tx, await this.requests.lock(tx, id));
  }

  async readRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest<Subject> | null> {
    return this.#of(tx, await this.requests.find(tx, id));
  }

  read(tx: Tx, id: Id): Promise<Subject | null> {
    return Promise.resolve(this.rows.of(tx).get(id) ?? null);
  }

  protected async held<Request extends ApprovalRequest | null>(
    tx: Tx,
    subject: Subject,
    request: Request,
  ): Promise<HeldSubject<Subject, Request>> {
    const now = await tx.now();
    const reviews = request === null ? [] : await this.requests.reviews(tx, request.id);
    return {
      subject,
      request,
      claim: request === null ? null : await this.claims.claim(tx, request.id, now),
      now,
      reviewedBy: reviews.map(({ personId }) => personId),
      reviews: () => Promise.resolve(reviews),
    };
  }

  /** Ids of one kind are not those of another. */
  async #of(tx: Tx, request: ApprovalRequest | null): Promise<HeldRequest<Subject> | null> {
    const subject = request === null ? undefined : this.rows.of(tx).get(request.subject.id);
    return subject === undefined || request === null ? null : this.held(tx, subject, request);
  }
}
