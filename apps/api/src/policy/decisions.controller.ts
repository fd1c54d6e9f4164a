import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  decisionQuerySchema,
  loggedDecisionPageSchema,
  loggedDecisionSchema,
  opaDecisionPageSchema,
  toTimestamp,
  uuidSchema,
  type OpaDecision,
} from '#lib/contracts';
import type { ApprovalRequestId, DecisionId, PlanId, Principal, RunId, TaskId } from '#lib/kernel';
import { ReadDecisions, type DecisionSubject, type LoggedDecision } from '#lib/policy';
import { Answers, CurrentPrincipal, pageAfter, RequireScope, Summary, toPage, unwrap } from '../http/index.js';

type DecisionQuery = z.infer<typeof decisionQuerySchema>;
type DecisionView = z.infer<typeof loggedDecisionSchema>;

@ApiTags('Decisions')
@Controller('v1/decisions')
export class DecisionsController {
  constructor(private readonly decisions: ReadDecisions) {}

  @Summary('Recorded policy decisions about a task, plan, approval request or run, newest first.')
  @Get()
  @RequireScope('audit')
  @Answers(200, loggedDecisionPageSchema)
  async list(
    @CurrentPrincipal() caller: Principal,
    @Query({ schema: decisionQuerySchema }) query: DecisionQuery,
  ): Promise<z.infer<typeof loggedDecisionPageSchema>> {
    const decisions = await this.decisions.list(caller.tenantId, subjectOf(query), pageAfter('decisions', query));
    return toPage('decisions', decisions, query.limit, (decision) => [decision.decidedAt, decision.id], viewOf);
  }

  @Summary('One decision: the question, with every fact that it rests on, and the answer.')
  @Get(':id')
  @RequireScope('audit')
  @Answers(200, loggedDecisionSchema)
  async get(
    @CurrentPrincipal() caller: Principal,
    @Param('id', { schema: uuidSchema }) id: DecisionId,
  ): Promise<DecisionView> {
    return viewOf(unwrap(await this.decisions.get(caller.tenantId, id)));
  }
}

@ApiTags('Decisions')
@Controller('v1/decision-log')
export class DecisionLogController {
  constructor(private readonly decisions: ReadDecisions) {}

  @Summary('The same decisions as OPA logs its own, newest first, for tools that read decision logs.')
  @Get()
  @RequireScope('audit')
  @Answers(200, opaDecisionPageSchema)
  async list(
    @CurrentPrincipal() caller: Principal,
    @Query({ schema: decisionQuerySchema }) query: DecisionQuery,
  ): Promise<z.infer<typeof opaDecisionPageSchema>> {
    const decisions = await this.decisions.list(caller.tenantId, subjectOf(query), pageAfter('decision-log', query));
    const keyOf = (decision: LoggedDecision) => [decision.decidedAt, decision.id];
    return toPage('decision-log', decisions, query.limit, keyOf, (decision) => opaView(caller.tenantId, decision));
  }
}

function subjectOf(query: DecisionQuery): DecisionSubject {
  return {
    ...(query.task_id === undefined ? {} : { taskId: query.task_id as TaskId }),
    ...(query.plan_id === undefined ? {} : { planId: query.plan_id as PlanId }),
    ...(query.request_id === undefined ? {} : { requestId: query.request_id as ApprovalRequestId }),
    ...(query.run_id === undefined ? {} : { runId: query.run_id as RunId }),
  };
}

/** As the view decision_log of the database has it. */
function opaView(tenantId: string, logged: LoggedDecision): OpaDecision {
  const { taskId, planId, requestId, runId } = logged.about;
  const labels = { tenant_id: tenantId, task_id: taskId, plan_id: planId, request_id: requestId, run_id: runId };
  return {
    labels: Object.fromEntries(
      Object.entries(labels).filter((label): label is [string, string & (typeof label)[1]] => label[1] !== undefined),
    ),
    decision_id: logged.id,
    bundles: { countersign: { revision: logged.bundleRevision } },
    path: `countersign/${logged.entrypoint}/decision`,
    input: logged.input,
    result: logged.decision,
    timestamp: toTimestamp(logged.decidedAt),
  };
}

function viewOf(logged: LoggedDecision): DecisionView {
  return {
    id: logged.id,
    entrypoint: logged.entrypoint,
    bundle_revision: logged.bundleRevision,
    input: logged.input as DecisionView['input'],
    input_digest: logged.inputDigest,
    decision: logged.decision,
    decided_at: toTimestamp(logged.decidedAt),
    task_id: logged.about.taskId ?? null,
    plan_id: logged.about.planId ?? null,
    request_id: logged.about.requestId ?? null,
    run_id: logged.about.runId ?? null,
  };
}
