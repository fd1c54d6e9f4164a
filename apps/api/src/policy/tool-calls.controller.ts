import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { submitToolCallSchema, toolCallSchema, type SubmitToolCallBody, type ToolCallView } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { type Principal, type ToolCallId, toTimestamp } from '#lib/kernel';
import { GetToolCall, SubmitToolCall, type ToolCallAnswer } from '#lib/tool-call';
import { Answers, CurrentPrincipal, RequireScope, Summary, unwrap } from '../http/index.js';
import { shellVerdictView } from './shell-verdict-view.js';

@ApiTags('Tool calls')
@Controller('v1/tool-calls')
export class ToolCallsController {
  constructor(
    private readonly submitToolCall: SubmitToolCall,
    private readonly getToolCall: GetToolCall,
  ) {}

  // No Idempotency-Key: client_call_id names the call, and its answer says until when an allow holds.
  @Summary('Asks to make one tool call now, without a plan. Answers 201 with the outcome, a deny included.')
  @Post()
  @RequireScope('run')
  @Answers(201, toolCallSchema, 'The outcome: allowed or denied.')
  async submit(
    @CurrentPrincipal() by: Principal,
    @Body({ schema: submitToolCallSchema }) body: SubmitToolCallBody,
  ): Promise<ToolCallView> {
    const { tool, environment, client_call_id: clientCallId, turn_id: turnId, reason } = body;
    const asked = await this.submitToolCall.execute(by, {
      tool,
      environment,
      arguments: body.arguments,
      clientCallId: clientCallId ?? null,
      turnId: turnId ?? null,
      reason: reason ?? null,
    });
    return viewOf(unwrap(asked));
  }

  @Summary('One decided call, as it was answered.')
  @Get(':id')
  @RequireScope('read')
  @Answers(200, toolCallSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ToolCallId,
  ): Promise<ToolCallView> {
    return viewOf(unwrap(await this.getToolCall.execute(by, id)));
  }
}

function viewOf(answer: ToolCallAnswer): ToolCallView {
  const { reasons, obligations, effective } = answer.decision;
  return {
    id: answer.id,
    outcome: answer.state,
    decided_as: answer.decidedAs,
    allowed_until: answer.allowedUntil === null ? null : toTimestamp(answer.allowedUntil),
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
