import { In, IsNull } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import type {
  AgentId,
  ApprovalRequestId,
  Digest,
  PageRequest,
  PersonId,
  PlanId,
  RowSeals,
  TaskId,
  Tx,
} from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { askedBy, SqlWorkConditions, type WorkRow } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import type {
  ApprovalRepository,
  PlanAbout,
  QueueKey,
  RecordedReview,
  RequestFilter,
} from '../application/approval.ports.js';
import type { ApprovalRequest, Review, SubjectKey } from '../domain/approval-request.js';
import type { ReviewId } from '../domain/ids.js';
import { rankOfLevel } from '../domain/request-risk.js';
import type { RequestOfTask } from '../domain/task-history.js';
import { authenticRequest, authenticReviews, sealedRequest, sealedReview } from './approval-seals.js';
import { approvalRequestEntity, reviewEntity } from './approval.entity.js';
import {
  changingColumns,
  requestOf,
  requestRow,
  reviewOf,
  reviewRow,
  type RequestRow,
  type ReviewRow,
} from './approval-rows.js';

const REQUEST = approvalRequestEntity.all;
const REVIEW = reviewEntity.all;
const SELECT_REQUEST = `select ${REQUEST.columns('approval_request')} from approval_request`;

/** Whether that person's review of the request counts. */
const reviewedBy = (parameter: string): string =>
  `exists (select from review where review.tenant_id = approval_request.tenant_id
     and review.request_id = approval_request.id and review.person_id = ${parameter} and review.replaced_at is null)`;

/** Whether it waits for its start by hand, and the person asked for it or answers for the asking agent. */
const startableBy = (parameter: string): string =>
  `approval_request.state = 'approved' and approval_request.start = 'manual'
     and approval_request.approval_expires_at > clock_timestamp()
     and (approval_request.person_id = ${parameter} or approval_request.on_behalf_of = ${parameter}
       or exists (select from agent where agent.tenant_id = approval_request.tenant_id
         and agent.id = approval_request.agent_id and agent.owner_person_id = ${parameter}))`;

const ROW: WorkRow = {
  table: 'approval_request',
  at: 'approval_request.opened_at',
  task: 'approval_request.task_id',
  plan: 'approval_request.subject_id',
  environment: 'approval_request.environment_id',
  agent: (parameter) => `approval_request.agent_id = ${parameter}`,
  person: (parameter) => [
    ...askedBy('approval_request', parameter),
    `select review.request_id from review
      where review.tenant_id = $1 and review.person_id = ${parameter} and review.replaced_at is null`,
  ],
};

/**
 * Approval requests and reviews in PostgreSQL. One that Countersign did not seal decides nothing (`record.not_authentic`), and
 * stands in no list.
 */
export class SqlApprovalRepository implements ApprovalRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, request: ApprovalRequest): Promise<void> {
    const seal = await this.seals.seal(sealedRequest(tx, request));
    sqlOf(tx).callAhead('approval_request_insert', [REQUEST.documentOf(requestRow(request, seal))]);
  }

  find(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null> {
    return this.#one(rowsOf(tx, approvalRequestEntity).findOne({ id }), tx);
  }

  lock(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null> {
    return this.#one(rowsOf(tx, approvalRequestEntity).findOne({ id }, { lock: 'update' }), tx);
  }

  lockLive(tx: Tx, { id }: SubjectKey): Promise<ApprovalRequest | null> {
    const live = { subjectId: id, state: In(['open', 'approved']) };
    return this.#one(rowsOf(tx, approvalRequestEntity).findOne(live, { lock: 'update' }), tx);
  }

  save(tx: Tx, request: ApprovalRequest): Promise<void> {
    const { state, approvedAt, approvalExpiresAt, closedAt, closedReason } = changingColumns(request);
    sqlOf(tx).callAhead('approval_request_save', [
      request.id,
      state,
      dateOrNull(approvedAt),
      dateOrNull(approvalExpiresAt),
      dateOrNull(closedAt),
      closedReason === null ? null : JSON.stringify(closedReason),
    ]);
    return Promise.resolve();
  }

  async holdBack(tx: Tx, id: ApprovalRequestId, until: number): Promise<void> {
    await rowsOf(tx, approvalRequestEntity).update({ id }, { startAfter: until });
  }

  async list(tx: Tx, filter: RequestFilter, page: PageRequest): Promise<readonly ApprovalRequest[]> {
    const wanted = new SqlWorkConditions(tx.tenantId, ROW)
      .equal('approval_request.state', filter.state)
      .equal('approval_request.subject_id', filter.subject?.id)
      .equal('approval_request.task_id', filter.taskId);
    await wanted.filtered(tx, filter);
    if (filter.undecided === true)
      wanted.add("approval_request.state = 'open' and approval_request.expires_at > clock_timestamp()");
    if (filter.startableBy !== undefined) wanted.add(startableBy(wanted.parameter(filter.startableBy)));
    if (filter.reviewedBy !== undefined) wanted.add(reviewedBy(wanted.parameter(filter.reviewedBy)));
    if (filter.notReviewedBy !== undefined) wanted.add(`not ${reviewedBy(wanted.parameter(filter.notReviewedBy))}`);
    const rest = wanted.page(page);
    const rows = await sqlOf(tx).query<object>(`${SELECT_REQUEST} ${rest}`, wanted.parameters);
    return this.#authentic(tx, rows);
  }

  async ofTask(tx: Tx, taskId: TaskId): Promise<readonly RequestOfTask[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${OF_TASK.columns('request')}, ${REVISION.columns('plan')} from approval_request request
         join plan on plan.tenant_id = request.tenant_id and plan.id = request.plan_id
        where request.tenant_id = $1 and request.task_id = $2 order by request.opened_at, request.id`,
      [tx.tenantId, taskId],
    );
    return rows.map((stored) => {
      const { subjectId: planId, ...row } = REVISION.row(OF_TASK.row(stored));
      // The join lets plans through alone.
      return { ...row, planId: planId as PlanId };
    });
  }

  async approvedBy(tx: Tx, taskId: TaskId, personId: PersonId): Promise<readonly ApprovalRequest[]> {
    const rows = await sqlOf(tx).query<object>(
      `${SELECT_REQUEST} where tenant_id = $1 and task_id = $2
         and exists (select from review where review.tenant_id = approval_request.tenant_id
           and review.request_id = approval_request.id and review.person_id = $3 and review.verdict = 'approve'
           and review.replaced_at is null)
       order by opened_at desc, id desc limit 20`,
      [tx.tenantId, taskId, personId],
    );
    return this.#authentic(tx, rows);
  }

  async waiting(
    tx: Tx,
    personId: PersonId,
    { limit, after }: { readonly limit: number; readonly after: QueueKey | null },
  ): Promise<readonly ApprovalRequest[]> {
    const rows = await sqlOf(tx).query<object>(
      `${SELECT_REQUEST} where tenant_id = $1 and state = 'open' and expires_at > clock_timestamp()
         and ($3::smallint is null or (-risk, -target_count, expires_at, id) > (-$3, -$7::integer, $4::timestamptz, $5::uuid))
         and not exists (select from review where review.tenant_id = approval_request.tenant_id
           and review.request_id = approval_request.id and review.person_id = $2 and review.replaced_at is null)
       order by risk desc, target_count desc, expires_at, id limit $6`,
      [
        tx.tenantId,
        personId,
        after === null ? null : rankOfLevel(after.risk),
        after === null ? null : new Date(after.expiresAt),
        after?.id ?? null,
        limit,
        after?.targets ?? null,
      ],
    );
    return this.#authentic(tx, rows);
  }

  async about(tx: Tx, ids: readonly ApprovalRequestId[]): Promise<ReadonlyMap<ApprovalRequestId, PlanAbout>> {
    const rows = await sqlOf(tx).query<{ readonly requestId: ApprovalRequestId; readonly goal: string }>(
      `select request.id as "requestId", task.spec::jsonb ->> 'goal' as goal, ${ENVIRONMENT.columns('environment')}
         from approval_request request
         join task on task.tenant_id = request.tenant_id and task.id = request.task_id
         join environment on environment.tenant_id = task.tenant_id and environment.id = task.environment_id
        where request.tenant_id = $1 and request.id = any ($2::uuid[])`,
      [tx.tenantId, ids],
    );
    return new Map(
      rows.map((row) => {
        const { requestId, goal, ...environment } = ENVIRONMENT.row(row);
        return [requestId, { type: 'plan', goal, environment }];
      }),
    );
  }

  async identical(tx: Tx, agentId: AgentId, content: Digest): Promise<ApprovalRequest | null> {
    const rows = await sqlOf(tx).query<object>(
      `${SELECT_REQUEST} where tenant_id = $1 and agent_id = $2 and state = 'open' and expires_at > clock_timestamp()
         and content_digest = $3
       order by opened_at, id limit 1`,
      [tx.tenantId, agentId, content],
    );
    return (await this.#authentic(tx, rows))[0] ?? null;
  }

  async insertReview(tx: Tx, requestId: ApprovalRequestId, review: Review, replaced: ReviewId | null): Promise<void> {
    const seal = await this.seals.seal(sealedReview(tx, requestId, review));
    sqlOf(tx).callAhead('review_insert', [REVIEW.documentOf(reviewRow(requestId, review, seal)), replaced]);
  }

  async reviews(tx: Tx, requestId: ApprovalRequestId): Promise<readonly Review[]> {
    return authenticReviews(this.seals, tx, await this.#currentReviews(tx, [requestId]));
  }

  async reviewsOf(
    tx: Tx,
    requestIds: readonly ApprovalRequestId[],
  ): Promise<ReadonlyMap<ApprovalRequestId, readonly Review[]>> {
    const rows = await this.#currentReviews(tx, requestIds);
    const reviews = new Map<ApprovalRequestId, Review[]>();
    for (const row of rows) {
      if (!(await this.seals.holds(sealedReview(tx, row.requestId, reviewOf(row)), row.seal))) continue;
      reviews.set(row.requestId, [...(reviews.get(row.requestId) ?? []), reviewOf(row)]);
    }
    return reviews;
  }

  async reviewHistory(tx: Tx, requestId: ApprovalRequestId): Promise<readonly RecordedReview[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    const reviews: RecordedReview[] = [];
    for (const row of await rowsOf(tx, reviewEntity).find({ requestId }, { order })) {
      const review = reviewOf(row);
      if (await this.seals.holds(sealedReview(tx, requestId, review), row.seal)) reviews.push(review);
    }
    return reviews;
  }

  #currentReviews(tx: Tx, requestIds: readonly ApprovalRequestId[]): Promise<readonly ReviewRow[]> {
    return rowsOf(tx, reviewEntity).find(
      { requestId: In([...requestIds]), replacedAt: IsNull() },
      { order: { createdAt: 'ASC', id: 'ASC' } },
    );
  }

  async #one(row: Promise<RequestRow | null>, tx: Tx): Promise<ApprovalRequest | null> {
    const found = await row;
    return found === null ? null : authenticRequest(this.seals, tx, found);
  }

  async #authentic(tx: Tx, rows: readonly object[]): Promise<readonly ApprovalRequest[]> {
    const requests: ApprovalRequest[] = [];
    for (const stored of rows) {
      const row = REQUEST.row(stored);
      const request = requestOf(row);
      if (await this.seals.holds(sealedRequest(tx, request), row.seal)) requests.push(request);
    }
    return requests;
  }
}

const OF_TASK = approvalRequestEntity.pick('id', 'subjectId', 'state', 'openedAt');
const REVISION = planEntity.pick('revision');
const ENVIRONMENT = environmentEntity.pick('id', 'name', 'production');

const dateOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));
