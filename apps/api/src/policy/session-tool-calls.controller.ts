import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  submitSessionToolCallSchema,
  toolCallSchema,
  type SubmitSessionToolCallBody,
  type ToolCallView,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { Principal, SessionId } from '#lib/kernel';
import { SubmitToolCall } from '#lib/tool-call';
import { Answers, CurrentPrincipal, RequireScope, Summary, unwrap } from '../http/index.js';
import { questionOf } from './question-of.js';
import { toolCallView } from './tool-call-view.js';

@ApiTags('Tool calls')
@Controller('v1/sessions')
export class SessionToolCallsController {
  constructor(private readonly submitToolCall: SubmitToolCall) {}

  // No Idempotency-Key: client_call_id names the call, and its answer says until when an allow holds.
  @Summary('Asks to make one tool call in a session, under its preset. Answers 201 with the outcome, a deny included.')
  @Post(':id/tool-calls')
  @RequireScope('run')
  @Answers(201, toolCallSchema, 'The outcome: allowed or denied.')
  async submit(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) sessionId: SessionId,
    @Body({ schema: submitSessionToolCallSchema }) body: SubmitSessionToolCallBody,
  ): Promise<ToolCallView> {
    return toolCallView(unwrap(await this.submitToolCall.execute(by, { ...questionOf(body), place: { sessionId } })));
  }
}
