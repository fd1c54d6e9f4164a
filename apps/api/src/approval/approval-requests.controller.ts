import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { LocateAutonomyLine } from '#lib/autonomy';
import {
  approvalRequestDetailSchema,
  approvalRequestListSchema,
  approvalRequestQuerySchema,
  approvalRequestSchema,
  changesAskedListSchema,
  openApprovalRequestSchema,
  possibleReviewersSchema,
  reviewListSchema,
  reviewSchema,
  type ApprovalRequestDetailView,
  type ApprovalRequestQuery,
  type ApprovalRequestView,
  type ChangesAskedList,
  type OpenApprovalRequestBody,
  type PossibleReviewersView,
  type ListedRequestView,
  type RequestTab,
  type SubmitReviewBody,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import {
  CountReviewers,
  OpenRequest,
  ReadRequests,
  ReadReviewers,
  ReadTaskHistory,
  SubmitReview,
  WithdrawRequest,
  overviewOf,
  planKey,
  type ListedRequest,
  type RequestAsLeft,
  type RequestFilter,
} from '#lib/approval';
import type { ApprovalRequestId, PageRequest, PlanId, Principal, TaskId } from '#lib/kernel';
import { GetTask } from '#lib/task';
import {
  Answers,
  CurrentPrincipal,
  encodeCursor,
  Idempotent,
  MayBeThere,
  OneTransaction,
  pageAfter,
  RequirePerson,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { workFilterOf } from '../http/work-filter-of.js';
import {
  changesAskedView,
  listedView,
  possibleReviewersView,
  requestDetailView,
  requestView,
  reviewView,
} from './approval-views.js';

type ApprovalRequestList = z.infer<typeof approvalRequestListSchema>;

@ApiTags('Approval')
@Controller('v1')
export class ApprovalRequestsController {
  constructor(
    private readonly opening: OpenRequest,
    private readonly reading: ReadRequests,
    private readonly reviewing: SubmitReview,
    private readonly withdrawing: WithdrawRequest,
    private readonly autonomyLines: LocateAutonomyLine,
    private readonly possible: ReadReviewers,
    private readonly counting: CountReviewers,
    private readonly history: ReadTaskHistory,
    private readonly tasks: GetTask,
  ) {}

  @Summary('Asks people to approve a plan. The same question asked again answers with the request that stands.')
  @Post('plans/:id/approval-requests')
  @RequireScope('submit')
  @Idempotent()
  @Answers(201, approvalRequestSchema, 'The request.')
  @MayBeThere(approvalRequestSchema, 'The request, which was open already.')
  async open(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) planId: PlanId,
    @Body({ schema: openApprovalRequestSchema }) body: OpenApprovalRequestBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ApprovalRequestView> {
    const opened = unwrap(await this.opening.execute(by, planKey(planId), body));
    if (!opened.created) void reply.status(200);
    return this.#asLeft(by, opened);
  }

  @Summary(
    'Requests, newest first: for the caller, open, decided by the caller, or all; with `reviewable=true` the open ones that policy lets the caller approve now.',
  )
  @Get('approval-requests')
  @RequireScope('read')
  @Answers(200, approvalRequestListSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: approvalRequestQuerySchema }) query: ApprovalRequestQuery,
  ): Promise<ApprovalRequestList> {
    const filter: RequestFilter = {
      ...workFilterOf(query),
      ...(query.state === undefined ? {} : { state: query.state }),
      // The schema of the query has checked the form of both ids.
      ...(query.plan_id === undefined ? {} : { subject: planKey(query.plan_id as PlanId) }),
      // As above.
      ...(query.task_id === undefined ? {} : { taskId: query.task_id as TaskId }),
    };
    const tab = filterOfTab(by, query.tab);
    if (tab === null) return { items: [], next_cursor: null };
    const page = pageAfter(LIST, query);
    if (query.reviewable === 'true' || query.tab === 'for_me')
      return this.#reviewable(by, { ...filter, ...tab }, { ...page, limit: query.limit });
    const found = await this.reading.list(by, { ...filter, ...tab }, page);
    return toPage(LIST, found, query.limit, keyOf, await this.#listed(by, found));
  }

  @Summary(
    'A request with everything its approvers see, and its differences from the request that the caller approved before.',
  )
  @Get('approval-requests/:id')
  @RequireScope('read')
  @Answers(200, approvalRequestDetailSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
  ): Promise<ApprovalRequestDetailView> {
    const detail = unwrap(await this.reading.get(by, id));
    const [line, couldApprove] = await Promise.all([
      this.autonomyLines.ofRevision(by.tenantId, detail.request),
      this.counting.ofRequest(by, detail),
    ]);
    return requestDetailView(detail, couldApprove, line);
  }

  @Summary(
    'Approves, rejects or asks for changes. While the request is open, a second review of a person replaces the first.',
  )
  @Post('approval-requests/:id/reviews')
  @RequireScope('review')
  @RequirePerson()
  @Idempotent()
  @Answers(201, approvalRequestSchema, 'The request, as it is after the review.')
  async review(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
    @Body({ schema: reviewSchema }) body: SubmitReviewBody,
  ): Promise<ApprovalRequestView> {
    return this.#asLeft(by, unwrap(await this.reviewing.execute(by, id, body)));
  }

  @Summary('Every review of a request in order, those that were replaced too.')
  @Get('approval-requests/:id/reviews')
  @RequireScope('read')
  @Answers(200, reviewListSchema)
  async reviews(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
  ): Promise<z.infer<typeof reviewListSchema>> {
    const { reviews, people } = unwrap(await this.reading.reviews(by, id));
    return { items: reviews.map((review) => reviewView(id, review, people)) };
  }

  @Summary('The people who could review an open request now: policy lets them approve, and their vote would count.')
  @Get('approval-requests/:id/reviewers')
  @RequireScope('read')
  @Answers(200, possibleReviewersSchema)
  async reviewers(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
  ): Promise<PossibleReviewersView> {
    return possibleReviewersView(unwrap(await this.possible.execute(by, id)));
  }

  @Summary('The changes that people requested of the revisions of a task, the earliest first.')
  @Get('tasks/:id/changes-asked')
  @RequireScope('read')
  @Answers(200, changesAskedListSchema)
  async changesAsked(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: TaskId,
  ): Promise<ChangesAskedList> {
    unwrap(await this.tasks.execute(by, id));
    const { asked, people } = await this.history.changesAsked(by, id);
    return { items: asked.map((each) => changesAskedView(each, people)) };
  }

  @Summary('Takes a request back, by somebody who may change its task.')
  @Post('approval-requests/:id/withdraw')
  @RequireScope('submit')
  @OneTransaction()
  @Answers(200, approvalRequestSchema)
  async withdraw(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
  ): Promise<ApprovalRequestView> {
    return this.#asLeft(by, unwrap(await this.withdrawing.execute(by, id)));
  }

  async #asLeft(by: Principal, left: RequestAsLeft): Promise<ApprovalRequestView> {
    return requestView(overviewOf(by, left), await this.autonomyLines.ofRevision(by.tenantId, left.request));
  }

  async #listed(by: Principal, items: readonly ListedRequest[]): Promise<(item: ListedRequest) => ListedRequestView> {
    const requests = items.map(({ request }) => request);
    const lines = await this.autonomyLines.executeAll(by.tenantId, requests);
    return (item) => listedView(item, lines.get(item.request) ?? null);
  }

  async #reviewable(by: Principal, filter: RequestFilter, page: PageRequest): Promise<ApprovalRequestList> {
    const { items, next } = await this.reading.reviewable(by, filter, page);
    return {
      items: items.map(await this.#listed(by, items)),
      next_cursor: next === null ? null : encodeCursor(LIST, [next.openedAt, next.id]),
    };
  }
}

/** The filter of a tab; null if the tab is for people and the caller is none. */
function filterOfTab(by: Principal, tab: RequestTab): RequestFilter | null {
  if (tab === 'all') return {};
  if (tab === 'open') return { undecided: true };
  if (by.kind !== 'person') return null;
  return tab === 'for_me' ? { undecided: true, notReviewedBy: by.personId } : { reviewedBy: by.personId };
}

const LIST = 'approval-requests';

const keyOf = ({ request }: ListedRequest): readonly [number, string] => [request.openedAt, request.id];
