import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  authorizeToolCallSchema,
  toolCallAuthorizationSchema,
  type AuthorizeToolCallBody,
  type ToolCallAuthorizationView,
} from '#lib/api-schemas';
import { type Principal, toTimestamp } from '#lib/kernel';
import { AuthorizeToolCall, type ToolCallAnswer } from '#lib/tool-call';
import { shellVerdictView } from './shell-verdict-view.js';
import { Answers, CurrentPrincipal, RequireScope, Summary } from '../http/index.js';

@ApiTags('Tool calls')
@Controller('v1/tool-calls')
export class ToolCallsController {
  constructor(private readonly gate: AuthorizeToolCall) {}

  // No Idempotency-Key: an old allow must not be given again.
  @Summary('May this tool call be made now, without a plan? Answers 200 with the outcome, a deny included.')
  @Post('authorize')
  @RequireScope('run')
  @Answers(200, toolCallAuthorizationSchema, 'The outcome: allow, require_approval (submit a plan) or deny.')
  async authorize(
    @CurrentPrincipal() by: Principal,
    @Body({ schema: authorizeToolCallSchema }) body: AuthorizeToolCallBody,
  ): Promise<ToolCallAuthorizationView> {
    const { tool, environment } = body;
    return viewOf(await this.gate.execute(by, { tool, environment, arguments: body.arguments }));
  }
}

function viewOf(answer: ToolCallAnswer): ToolCallAuthorizationView {
  const { outcome, reasons, obligations, effective } = answer.decision;
  return {
    id: answer.id,
    outcome,
    reasons,
    obligations,
    effective,
    decision_id: answer.decisionId,
    bundle_revision: answer.bundleRevision,
    tool_version: answer.toolVersion,
    arguments_digest: answer.argumentsDigest,
    shell: answer.shell === null ? null : shellVerdictView(answer.shell),
    errors: answer.errors.map((error) => ({ ...error, pointer: `/arguments${error.pointer}` })),
    decided_at: toTimestamp(answer.decidedAt),
  };
}
