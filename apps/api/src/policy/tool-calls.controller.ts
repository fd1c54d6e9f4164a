import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { submitToolCallSchema, toolCallSchema, type SubmitToolCallBody, type ToolCallView } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { type Principal, type ToolCallId } from '#lib/kernel';
import { GetToolCall, SubmitToolCall } from '#lib/tool-call';
import { Answers, CurrentPrincipal, RequireScope, Summary, unwrap } from '../http/index.js';
import { questionOf } from './question-of.js';
import { toolCallView } from './tool-call-view.js';

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
    const { environment, ...call } = body;
    return toolCallView(unwrap(await this.submitToolCall.execute(by, { ...questionOf(call), place: { environment } })));
  }

  @Summary('One decided call, as it was answered.')
  @Get(':id')
  @RequireScope('read')
  @Answers(200, toolCallSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ToolCallId,
  ): Promise<ToolCallView> {
    return toolCallView(unwrap(await this.getToolCall.execute(by, id)));
  }
}
