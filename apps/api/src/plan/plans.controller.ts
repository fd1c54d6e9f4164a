import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { LocateAutonomyLine } from '#lib/autonomy';
import {
  planDiffQuerySchema,
  planDiffSchema,
  planPageSchema,
  planQuerySchema,
  planSchema,
  type PlanDiffView,
  type PlanListQuery,
  type PlanView,
} from '#lib/api-schemas';
import { planDocumentSchema, uuidSchema, type PlanDocument } from '#lib/formats';
import type { PlanId, Principal, TaskId } from '#lib/kernel';
import {
  DiffPlans,
  GetPlan,
  ListPlans,
  SubmitPlan,
  WithdrawPlan,
  type ExplainedPlan,
  type PlanFilter,
} from '#lib/plan';
import {
  Answers,
  CurrentPrincipal,
  Idempotent,
  OneTransaction,
  pageAfter,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { workFilterOf } from '../http/work-filter-of.js';
import { planDiffView, planSummaryView, planView } from './plan-views.js';

type PlanPage = z.infer<typeof planPageSchema>;

@ApiTags('Plans')
@Controller('v1')
export class PlansController {
  constructor(
    private readonly submitting: SubmitPlan,
    private readonly reading: GetPlan,
    private readonly listing: ListPlans,
    private readonly comparing: DiffPlans,
    private readonly withdrawing: WithdrawPlan,
    private readonly autonomyLines: LocateAutonomyLine,
  ) {}

  @Summary(
    'Submits a revision of how a task is to be done. A valid one takes the place of the one before, and voids its approval.',
  )
  @Post('tasks/:id/plans')
  @RequireScope('submit')
  @Idempotent()
  @Answers(201, planSchema)
  async submit(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) taskId: TaskId,
    @Body({ schema: planDocumentSchema }) document: PlanDocument,
  ): Promise<PlanView> {
    const submitted = unwrap(await this.submitting.execute(by, taskId, document));
    const { decision, autonomyRevisionId } = submitted;
    const decided = { decision: decision.decision, autonomyRevisionId };
    return planView(submitted, await this.autonomyLines.ofRevision(by.tenantId, decided));
  }

  @Summary('The revisions of a task, newest first.')
  @Get('tasks/:id/plans')
  @RequireScope('read')
  @Answers(200, planPageSchema)
  listOfTask(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) taskId: TaskId,
    @Query({ schema: planQuerySchema }) query: PlanListQuery,
  ): Promise<PlanPage> {
    return this.#list(by, { taskId }, query);
  }

  @Summary('The plans of the tenant, newest first.')
  @Get('plans')
  @RequireScope('read')
  @Answers(200, planPageSchema)
  list(@CurrentPrincipal() by: Principal, @Query({ schema: planQuerySchema }) query: PlanListQuery): Promise<PlanPage> {
    return this.#list(by, {}, query);
  }

  @Summary('A plan: as it was written, as it would be executed, its status, and the reasons for it.')
  @Get('plans/:id')
  @RequireScope('read')
  @Answers(200, planSchema)
  async get(@CurrentPrincipal() by: Principal, @Param('id', { schema: uuidSchema }) id: PlanId): Promise<PlanView> {
    return this.#explained(by, unwrap(await this.reading.execute(by, id)));
  }

  @Summary('The differences of a revision from another of the same task, or from the last executed plan of its kind.')
  @Get('plans/:id/diff')
  @RequireScope('read')
  @Answers(200, planDiffSchema)
  async diff(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: PlanId,
    @Query({ schema: planDiffQuerySchema }) { against }: z.infer<typeof planDiffQuerySchema>,
  ): Promise<PlanDiffView> {
    // The schema of the query has checked that it is an id or this word.
    return planDiffView(unwrap(await this.comparing.execute(by, id, against as PlanId | 'last_executed')));
  }

  @Summary('Takes a plan back; its requests and approvals are voided.')
  @Post('plans/:id/withdraw')
  @RequireScope('submit')
  @OneTransaction()
  @Answers(200, planSchema)
  async withdraw(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: PlanId,
  ): Promise<PlanView> {
    return this.#explained(by, unwrap(await this.withdrawing.execute(by, id)));
  }

  async #explained(by: Principal, explained: ExplainedPlan): Promise<PlanView> {
    return planView(explained, await this.autonomyLines.execute(by.tenantId, explained.decision));
  }

  async #list(by: Principal, filter: PlanFilter, query: PlanListQuery): Promise<PlanPage> {
    const wanted: PlanFilter = {
      ...filter,
      ...workFilterOf(query),
      ...(query.status === undefined ? {} : { status: query.status }),
    };
    const plans = unwrap(await this.listing.execute(by, wanted, pageAfter('plans', query)));
    return toPage('plans', plans, query.limit, ({ plan }) => [plan.createdAt, plan.id], planSummaryView);
  }
}
