import { In, IsNull } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import { agentEntity } from '#lib/identity';
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
import { askedBy, SqlWorkConditions, taskEntity, type WorkRow } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import type {
  ApprovalRepository,
  PlanAbout,
  QueueKey,
  RecordedReview,
  RequestFilter,
} from '../application/approval.ports.js';
import {
  isLive,
  type ApprovalRequest,
  type LiveRequest,
  type Review,
  type SubjectKey,
} from '../domain/approval-request.js';
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

const REVIEW = reviewEntity.as('review');
const APPROVAL_REQUEST = approvalRequestEntity.as('approval_request');
const AGENT = agentEntity.as('agent');
const PLAN = planEntity.as('plan');
const REQUEST = approvalRequestEntity.as('request');
const TASK = taskEntity.as('task');
const ENVIRONMENT = environmentEntity.as('environment');

const REQUEST_ROW = approvalRequestEntity.all;
const REVIEW_ROW = reviewEntity.all;
const SELECT_REQUEST = `select ${REQUEST_ROW.columns('approval_request')} from approval_request`;

/** Whether that person's review of the request counts. */
const reviewedBy = (parameter: string): string =>
  `exists (select from review where review.tenant_id = approval_request.tenant_id
     and ${REVIEW.requestId} = ${APPROVAL_REQUEST.id} and ${REVIEW.personId} = ${parameter} and ${REVIEW.replacedAt} is null)`;

/** Whether it waits for its start by hand, and the person asked for it or answers for the asking agent. */
const startableBy = (parameter: string): string =>
  `${APPROVAL_REQUEST.state} = 'approved' and ${APPROVAL_REQUEST.start} = 'manual'
     and ${APPROVAL_REQUEST.approvalExpiresAt} > clock_timestamp()
     and (${APPROVAL_REQUEST.personId} = ${parameter} or ${APPROVAL_REQUEST.onBehalfOf} = ${parameter}
       or exists (select from agent where agent.tenant_id = approval_request.tenant_id
         and ${AGENT.id} = ${APPROVAL_REQUEST.agentId} and ${AGENT.ownerPersonId} = ${parameter}))`;

const ROW: WorkRow = {
  table: 'approval_request',
  at: APPROVAL_REQUEST.openedAt,
  task: APPROVAL_REQUEST.taskId,
  plan: APPROVAL_REQUEST.subjectId,
  environment: APPROVAL_REQUEST.environmentId,
  agent: (parameter) => `${APPROVAL_REQUEST.agentId} = ${parameter}`,
  person: (parameter) => [
    ...askedBy('approval_request', parameter),
    `select ${REVIEW.requestId} as request_id from review
      where review.tenant_id = $1 and ${REVIEW.personId} = ${parameter} and ${REVIEW.replacedAt} is null`,
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
    sqlOf(tx).callAhead('approval_request_insert', [REQUEST_ROW.documentOf(requestRow(request, seal))]);
  }

  find(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null> {
    return this.#one(rowsOf(tx, approvalRequestEntity).findOne({ id }), tx);
  }

  lock(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null> {
    return this.#one(rowsOf(tx, approvalRequestEntity).findOne({ id }, { lock: 'update' }), tx);
  }

  async lockLive(tx: Tx, { id }: SubjectKey): Promise<LiveRequest | null> {
    const live = { subjectId: id, state: In(['open', 'approved']) };
    const request = await this.#one(rowsOf(tx, approvalRequestEntity).findOne(live, { lock: 'update' }), tx);
    return request !== null && isLive(request) ? request : null;
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
      .equal(APPROVAL_REQUEST.state, filter.state)
      .equal(APPROVAL_REQUEST.subjectId, filter.subject?.id)
      .equal(APPROVAL_REQUEST.taskId, filter.taskId);
    await wanted.filtered(tx, filter);
    if (filter.undecided === true)
      wanted.add(`${APPROVAL_REQUEST.state} = 'open' and ${APPROVAL_REQUEST.expiresAt} > clock_timestamp()`);
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
         join plan on plan.tenant_id = request.tenant_id and ${PLAN.id} = request.plan_id
        where request.tenant_id = $1 and ${REQUEST.taskId} = $2 order by ${REQUEST.openedAt}, ${REQUEST.id}`,
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
      `${SELECT_REQUEST} where tenant_id = $1 and ${APPROVAL_REQUEST.taskId} = $2
         and exists (select from review where review.tenant_id = approval_request.tenant_id
           and ${REVIEW.requestId} = ${APPROVAL_REQUEST.id} and ${REVIEW.personId} = $3 and ${REVIEW.verdict} = 'approve'
           and ${REVIEW.replacedAt} is null)
       order by ${APPROVAL_REQUEST.openedAt} desc, ${APPROVAL_REQUEST.id} desc limit 20`,
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
      `${SELECT_REQUEST} where tenant_id = $1 and ${APPROVAL_REQUEST.state} = 'open' and ${APPROVAL_REQUEST.expiresAt} > clock_timestamp()
         and ($3::smallint is null or (-${APPROVAL_REQUEST.risk}, -${APPROVAL_REQUEST.targetCount}, ${APPROVAL_REQUEST.expiresAt},
           ${APPROVAL_REQUEST.id}) > (-$3, -$7::integer, $4::timestamptz, $5::uuid))
         and not exists (select from review where review.tenant_id = approval_request.tenant_id
           and ${REVIEW.requestId} = ${APPROVAL_REQUEST.id} and ${REVIEW.personId} = $2 and ${REVIEW.replacedAt} is null)
       order by ${APPROVAL_REQUEST.risk} desc, ${APPROVAL_REQUEST.targetCount} desc, ${APPROVAL_REQUEST.expiresAt}, ${APPROVAL_REQUEST.id}
         limit $6`,
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
      `select ${REQUEST.id} as "requestId", ${TASK.spec}::jsonb ->> 'goal' as goal, ${ENVIRONMENT_ROW.columns('environment')}
         from approval_request request
         join task on task.tenant_id = request.tenant_id and ${TASK.id} = ${REQUEST.taskId}
         join environment on environment.tenant_id = task.tenant_id and ${ENVIRONMENT.id} = ${TASK.environmentId}
        where request.tenant_id = $1 and ${REQUEST.id} = any ($2::uuid[])`,
      [tx.tenantId, ids],
    );
    return new Map(
      rows.map((row) => {
        const { requestId, goal, ...environment } = ENVIRONMENT_ROW.row(row);
        return [requestId, { type: 'plan', goal, environment }];
      }),
    );
  }

  async identical(tx: Tx, agentId: AgentId, content: Digest): Promise<ApprovalRequest | null> {
    const rows = await sqlOf(tx).query<object>(
      `${SELECT_REQUEST} where tenant_id = $1 and ${APPROVAL_REQUEST.agentId} = $2 and ${APPROVAL_REQUEST.state} = 'open'
         and ${APPROVAL_REQUEST.expiresAt} > clock_timestamp()
         and ${APPROVAL_REQUEST.contentDigest} = $3
       order by ${APPROVAL_REQUEST.openedAt}, ${APPROVAL_REQUEST.id} limit 1`,
      [tx.tenantId, agentId, content],
    );
    return (await this.#authentic(tx, rows))[0] ?? null;
  }

  async insertReview(tx: Tx, requestId: ApprovalRequestId, review: Review, replaced: ReviewId | null): Promise<void> {
    const seal = await this.seals.seal(sealedReview(tx, requestId, review));
    sqlOf(tx).callAhead('review_insert', [REVIEW_ROW.documentOf(reviewRow(requestId, review, seal)), replaced]);
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
      const row = REQUEST_ROW.row(stored);
      const request = requestOf(row);
      if (await this.seals.holds(sealedRequest(tx, request), row.seal)) requests.push(request);
    }
    return requests;
  }
}

const OF_TASK = approvalRequestEntity.pick('id', 'subjectId', 'state', 'openedAt');
const REVISION = planEntity.pick('revision');
const ENVIRONMENT_ROW = environmentEntity.pick('id', 'name', 'production');

const dateOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));
