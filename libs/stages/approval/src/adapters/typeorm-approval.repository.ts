import { canonicalJson } from '#lib/canonical';
import { sqlOf } from '#lib/database';
import { seatDocument } from '#lib/identity';
import {
  requireSeal,
  type AgentId,
  type ApprovalRequestId,
  type Digest,
  type PageRequest,
  type PersonId,
  type PlanId,
  type RowSeals,
  type TaskId,
  type Tx,
} from '#lib/kernel';
import { askedBy, submitterColumns, WorkConditions, type WorkRow } from '#lib/task';
import type {
  ApprovalRepository,
  QueuedAbout,
  QueueKey,
  RecordedReview,
  RequestFilter,
} from '../application/approval.ports.js';
import type { ApprovalRequest, Review, SubjectKey } from '../domain/approval-request.js';
import { rankOfLevel } from '../domain/request-risk.js';
import type { RequestOfTask } from '../domain/task-history.js';
import { sealedRequest, sealedReview } from './approval-seals.js';
import { excludedFacts } from '../domain/policy-inputs.js';
import { changingColumns, requestOf, reviewOf, type RequestRow, type ReviewRow } from './approval-rows.js';

const REQUEST = `select id, subject_type, subject_id, task_id, simulation_id, state, binding, binding_digest, content_digest, phases, risk, target_count, decision_id,
    autonomy_revision_id, bundle_revision, decision, excluded, agent_id, person_id, on_behalf_of, credential_id, start, start_at, start_after,
    opened_at, expires_at, granted_at, grant_expires_at, closed_at, closed_reason, seal
  from approval_request`;

const REVIEW = `select id, request_id, person_id, credential_id, verdict, comment, roles, on_loan_from, seat, plan_digest, decision_id,
    created_at, replaced_at, mfa_method, mfa_proved_at, seal
  from review`;

/** Whether that person's review of the request counts. */
const reviewedBy = (parameter: string): string =>
  `exists (select from review where review.tenant_id = approval_request.tenant_id
     and review.request_id = approval_request.id and review.person_id = ${parameter} and review.replaced_at is null)`;

/** Whether it waits for its start by hand, and the person asked for it, or answers for the agent that did. */
const startableBy = (parameter: string): string =>
  `approval_request.state = 'granted' and approval_request.start = 'manual'
     and approval_request.grant_expires_at > clock_timestamp()
     and (approval_request.person_id = ${parameter} or approval_request.on_behalf_of = ${parameter}
       or exists (select from agent where agent.tenant_id = approval_request.tenant_id
         and agent.id = approval_request.agent_id and agent.owner_person_id = ${parameter}))`;

const ROW: WorkRow = {
  table: 'approval_request',
  at: 'approval_request.opened_at',
  task: 'approval_request.task_id',
  plan: 'approval_request.subject_id',
  environment: null,
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
export class TypeormApprovalRepository implements ApprovalRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, request: ApprovalRequest): Promise<void> {
    const { requester, start, subject } = request;
    const by = submitterColumns(requester);
    const changing = changingColumns(request);
    await sqlOf(tx).execute(
      `insert into approval_request (tenant_id, id, task_id, subject_id, simulation_id, state, binding, binding_digest, phases,
         decision_id, autonomy_revision_id, bundle_revision, decision, excluded, agent_id, person_id, on_behalf_of, credential_id,
         start, start_at, opened_at, expires_at, granted_at, grant_expires_at, closed_at, closed_reason, risk,
         content_digest, seal, target_count, subject_type)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
         $25, $26, $27, $28, $29, $30, $31)`,
      [
        tx.tenantId,
        request.id,
        subject.taskId,
        subject.id,
        subject.simulationId,
        changing.state,
        canonicalJson(request.binding),
        request.bindingDigest,
        subject.phases,
        request.decisionId,
        request.autonomyRevisionId,
        request.bundleRevision,
        JSON.stringify(request.decision),
        JSON.stringify(request.excluded.map(excludedFacts)),
        by.agent_id,
        by.person_id,
        by.on_behalf_of,
        by.credential_id,
        start.kind,
        start.kind === 'at' ? new Date(start.at) : null,
        new Date(request.openedAt),
        new Date(request.expiresAt),
        changing.grantedAt,
        changing.grantExpiresAt,
        changing.closedAt,
        changing.closedReason,
        rankOfLevel(request.risk),
        request.contentDigest,
        await this.seals.seal(sealedRequest(tx, request)),
        request.targets,
        subject.type,
      ],
    );
  }

  async find(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null> {
    return this.one(tx, `${REQUEST} where tenant_id = $1 and id = $2`, id);
  }

  async lock(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null> {
    return this.one(tx, `${REQUEST} where tenant_id = $1 and id = $2 for update`, id);
  }

  async lockLive(tx: Tx, { id }: SubjectKey): Promise<ApprovalRequest | null> {
    return this.one(
      tx,
      `${REQUEST} where tenant_id = $1 and subject_id = $2 and state in ('open', 'granted') for update`,
      id,
    );
  }

  save(tx: Tx, request: ApprovalRequest): Promise<void> {
    const changing = changingColumns(request);
    sqlOf(tx).callAhead('approval_request_save', [
      request.id,
      changing.state,
      changing.grantedAt,
      changing.grantExpiresAt,
      changing.closedAt,
      changing.closedReason,
    ]);
    return Promise.resolve();
  }

  async holdBack(tx: Tx, id: ApprovalRequestId, until: number): Promise<void> {
    await sqlOf(tx).execute('update approval_request set start_after = $3 where tenant_id = $1 and id = $2', [
      tx.tenantId,
      id,
      new Date(until),
    ]);
  }

  async list(tx: Tx, filter: RequestFilter, page: PageRequest): Promise<readonly ApprovalRequest[]> {
    const wanted = new WorkConditions(tx.tenantId, ROW)
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
    const rows = await sqlOf(tx).query<RequestRow>(`${REQUEST} ${rest}`, wanted.parameters);
    return this.authentic(tx, rows);
  }

  async ofTask(tx: Tx, taskId: TaskId): Promise<readonly RequestOfTask[]> {
    const rows = await sqlOf(tx).query<{
      id: ApprovalRequestId;
      plan_id: PlanId;
      revision: number;
      state: RequestOfTask['state'];
      opened_at: Date;
    }>(
      `select request.id, request.plan_id, plan.revision, request.state, request.opened_at from approval_request request
         join plan on plan.tenant_id = request.tenant_id and plan.id = request.plan_id
        where request.tenant_id = $1 and request.task_id = $2 order by request.opened_at, request.id`,
      [tx.tenantId, taskId],
    );
    return rows.map(({ id, plan_id: planId, revision, state, opened_at: openedAt }) => ({
      id,
      planId,
      revision,
      state,
      openedAt: openedAt.getTime(),
    }));
  }

  async approvedBy(tx: Tx, taskId: TaskId, personId: PersonId): Promise<readonly ApprovalRequest[]> {
    const rows = await sqlOf(tx).query<RequestRow>(
      `${REQUEST} where tenant_id = $1 and task_id = $2
         and exists (select from review where review.tenant_id = approval_request.tenant_id
           and review.request_id = approval_request.id and review.person_id = $3 and review.verdict = 'approve'
           and review.replaced_at is null)
       order by opened_at desc, id desc limit 20`,
      [tx.tenantId, taskId, personId],
    );
    return this.authentic(tx, rows);
  }

  async waiting(
    tx: Tx,
    personId: PersonId,
    { limit, after }: { readonly limit: number; readonly after: QueueKey | null },
  ): Promise<readonly ApprovalRequest[]> {
    const rows = await sqlOf(tx).query<RequestRow>(
      `${REQUEST} where tenant_id = $1 and state = 'open' and expires_at > clock_timestamp()
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
    return this.authentic(tx, rows);
  }

  async about(tx: Tx, ids: readonly ApprovalRequestId[]): Promise<ReadonlyMap<ApprovalRequestId, QueuedAbout>> {
    const rows = await sqlOf(tx).query<
      QueuedAbout['environment'] & { readonly request_id: ApprovalRequestId; readonly goal: string }
    >(
      `select request.id as request_id, task.spec::jsonb ->> 'goal' as goal, environment.id, environment.name, environment.production
         from approval_request request
         join task on task.tenant_id = request.tenant_id and task.id = request.task_id
         join environment on environment.tenant_id = task.tenant_id and environment.id = task.environment_id
        where request.tenant_id = $1 and request.id = any ($2::uuid[])`,
      [tx.tenantId, ids],
    );
    return new Map(
      rows.map(({ request_id, goal, id, name, production }) => [
        request_id,
        { goal, environment: { id, name, production } },
      ]),
    );
  }

  async identical(tx: Tx, agentId: AgentId, content: Digest): Promise<ApprovalRequest | null> {
    const [row] = await sqlOf(tx).query<RequestRow>(
      `${REQUEST} where tenant_id = $1 and agent_id = $2 and state = 'open' and expires_at > clock_timestamp()
         and content_digest = $3
       order by opened_at, id limit 1`,
      [tx.tenantId, agentId, content],
    );
    return row === undefined ? null : ((await this.authentic(tx, [row]))[0] ?? null);
  }

  async insertReview(tx: Tx, requestId: ApprovalRequestId, review: Review): Promise<void> {
    const seal = await this.seals.seal(sealedReview(tx, requestId, review));
    sqlOf(tx).callAhead('review_insert', [
      review.id,
      requestId,
      review.personId,
      review.credentialId,
      review.verdict,
      review.comment,
      JSON.stringify(review.roles.map(({ role, grantedAt }) => ({ role, granted_at: grantedAt }))),
      review.planDigest,
      review.decisionId,
      new Date(review.createdAt),
      review.mfa?.method ?? null,
      review.mfa === null ? null : new Date(review.mfa.provedAt),
      review.onLoanFrom,
      seal,
      review.seat === null ? null : JSON.stringify(seatDocument(review.seat)),
    ]);
  }

  async replaceReview(tx: Tx, review: Review, at: number): Promise<void> {
    await sqlOf(tx).execute(
      'update review set replaced_at = $3 where tenant_id = $1 and id = $2 and replaced_at is null',
      [tx.tenantId, review.id, new Date(at)],
    );
  }

  async reviews(tx: Tx, requestId: ApprovalRequestId): Promise<readonly Review[]> {
    const rows = await this.currentReviews(tx, [requestId]);
    for (const row of rows) await requireSeal(this.seals, sealedReview(tx, row.request_id, reviewOf(row)), row.seal);
    return rows.map(reviewOf);
  }

  async reviewsOf(
    tx: Tx,
    requestIds: readonly ApprovalRequestId[],
  ): Promise<ReadonlyMap<ApprovalRequestId, readonly Review[]>> {
    const rows = await this.currentReviews(tx, requestIds);
    const reviews = new Map<ApprovalRequestId, Review[]>();
    for (const row of rows) {
      if (!(await this.seals.holds(sealedReview(tx, row.request_id, reviewOf(row)), row.seal))) continue;
      const id = row.request_id as ApprovalRequestId;
      reviews.set(id, [...(reviews.get(id) ?? []), reviewOf(row)]);
    }
    return reviews;
  }

  async reviewHistory(tx: Tx, requestId: ApprovalRequestId): Promise<readonly RecordedReview[]> {
    const rows = await sqlOf(tx).query<ReviewRow>(
      `${REVIEW} where tenant_id = $1 and request_id = $2 order by created_at, id`,
      [tx.tenantId, requestId],
    );
    const reviews: RecordedReview[] = [];
    for (const row of rows) {
      const review = reviewOf(row);
      if (await this.seals.holds(sealedReview(tx, row.request_id, review), row.seal)) reviews.push(review);
    }
    return reviews;
  }

  private currentReviews(tx: Tx, requestIds: readonly ApprovalRequestId[]): Promise<readonly ReviewRow[]> {
    return sqlOf(tx).query<ReviewRow>(
      `${REVIEW} where tenant_id = $1 and request_id = any ($2::uuid[]) and replaced_at is null order by created_at, id`,
      [tx.tenantId, requestIds],
    );
  }

  private async one(tx: Tx, text: string, id: string): Promise<ApprovalRequest | null> {
    const [row] = await sqlOf(tx).query<RequestRow>(text, [tx.tenantId, id]);
    if (row === undefined) return null;
    const request = requestOf(row);
    await requireSeal(this.seals, sealedRequest(tx, request), row.seal);
    return request;
  }

  private async authentic(tx: Tx, rows: readonly RequestRow[]): Promise<readonly ApprovalRequest[]> {
    const requests: ApprovalRequest[] = [];
    for (const row of rows) {
      const request = requestOf(row);
      if (await this.seals.holds(sealedRequest(tx, request), row.seal)) requests.push(request);
    }
    return requests;
  }
}
