import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ApprovalRequestId, PlanId, Tx } from '#lib/kernel';
import { planKey, type ApprovalRequest } from '../domain/approval-request.js';
import type { PlanSubject } from '../domain/approval-subject.js';
import type { ApprovalRepository, ClaimRepository, HeldRequest, HeldSubject, PlanSubjects } from './approval.ports.js';

/** Holds the subjects of plan approvals, as the test says that they are now. */
export class FakePlanSubjects implements PlanSubjects {
  /** By plan. */
  readonly rows: FakeTable<PlanSubject>;

  constructor(
    uow: FakeUnitOfWork,
    private readonly requests: Pick<ApprovalRepository, 'find' | 'lock' | 'lockLive' | 'reviews'>,
    private readonly claims: Pick<ClaimRepository, 'claim'>,
  ) {
    this.rows = new FakeTable(uow);
  }

  async hold(tx: Tx, planId: PlanId): Promise<HeldSubject | null> {
    const subject = await this.read(tx, planId);
    return subject === null ? null : this.#held(tx, subject, await this.requests.lockLive(tx, planKey(planId)));
  }

  async holdRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest | null> {
    return this.#of(tx, await this.requests.lock(tx, id));
  }

  async readRequest(tx: Tx, id: ApprovalRequestId): Promise<HeldRequest | null> {
    return this.#of(tx, await this.requests.find(tx, id));
  }

  async #of(tx: Tx, request: ApprovalRequest | null): Promise<HeldRequest | null> {
    const subject = request === null ? null : await this.read(tx, request.subject.id);
    return subject === null || request === null ? null : { ...(await this.#held(tx, subject, request)), request };
  }

  read(tx: Tx, planId: PlanId): Promise<PlanSubject | null> {
    return Promise.resolve(this.rows.of(tx).get(planId) ?? null);
  }

  async #held(tx: Tx, subject: PlanSubject, request: ApprovalRequest | null): Promise<HeldSubject> {
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
}
