import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  decisionQuerySchema,
  loggedDecisionPageSchema,
  loggedDecisionSchema,
  opaDecisionPageSchema,
  type OpaDecision,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { type DecisionId, type Principal, type SubjectRef, toTimestamp } from '#lib/kernel';
import { ReadDecisions, type LoggedDecision } from '#lib/policy';
import {
  Answers,
  CurrentPrincipal,
  pageAfter,
  RequireScope,
  Summary,
  thingsOf,
  toPage,
  unwrap,
} from '../http/index.js';

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
    const decisions = await this.decisions.list(caller.tenantId, asked(query), pageAfter('decisions', query));
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
    const decisions = await this.decisions.list(caller.tenantId, asked(query), pageAfter('decision-log', query));
    const keyOf = (decision: LoggedDecision) => [decision.decidedAt, decision.id];
    return toPage('decision-log', decisions, query.limit, keyOf, (decision) => opaView(caller.tenantId, decision));
  }
}

const asked = (query: DecisionQuery): readonly SubjectRef[] =>
  thingsOf({ task: query.task_id, plan: query.plan_id, approval_request: query.request_id, run: query.run_id });

/** As the view decision_log of the database has it. */
function opaView(tenantId: string, logged: LoggedDecision): OpaDecision {
  const { subject, within } = logged.about;
  return {
    labels: {
      tenant_id: tenantId,
      ...Object.fromEntries([subject, ...within].map(({ type, id }) => [`${type}_id`, id])),
    },
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
    // Zod's type of JSON has no readonly members.
    input: logged.input as DecisionView['input'],
    input_digest: logged.inputDigest,
    decision: logged.decision,
    decided_at: toTimestamp(logged.decidedAt),
    subject: logged.about.subject,
    within: [...logged.about.within],
  };
}
