import { Body, Controller, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  MAX_WAIT_SECONDS,
  submitSessionToolCallSchema,
  toolCallSchema,
  waitQuerySchema,
  type SubmitSessionToolCallBody,
  type ToolCallView,
  type WaitQuery,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { Principal, SessionId } from '#lib/kernel';
import { SubmitToolCall } from '#lib/tool-call';
import { Answers, CurrentPrincipal, MayHold, RequireScope, Summary, unwrap } from '../http/index.js';
import { AnswerToolCall } from './answer-tool-call.js';
import { questionOf } from './question-of.js';
import { ToolCallWaits } from './tool-call-waits.js';

@ApiTags('Tool calls')
@Controller('v1/sessions')
export class SessionToolCallsController {
  constructor(
    private readonly submitToolCall: SubmitToolCall,
    private readonly waits: ToolCallWaits,
    private readonly answering: AnswerToolCall,
  ) {}

  // No Idempotency-Key: client_call_id names the call, and its answer says until when an allow holds.
  @Summary('Asks to make one tool call in a session, under its preset. Answers 201 with the outcome, a deny included.')
  @Post(':id/tool-calls')
  @RequireScope('run')
  @MayHold(MAX_WAIT_SECONDS)
  @Answers(201, toolCallSchema, 'The outcome: allowed, denied, or pending until people answer.')
  async submit(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) sessionId: SessionId,
    @Body({ schema: submitSessionToolCallSchema }) body: SubmitSessionToolCallBody,
    @Query({ schema: waitQuerySchema }) { wait_seconds: seconds }: WaitQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolCallView> {
    const question = { ...questionOf(body), context: { sessionId } };
    const submit = async () => unwrap(await this.submitToolCall.execute(by, question));
    return this.answering.show(by, await this.waits.hold(reply, by, seconds, submit));
  }
}
