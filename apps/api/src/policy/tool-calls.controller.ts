import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  MAX_WAIT_SECONDS,
  reportAttemptSchema,
  resolveToolCallSchema,
  submitToolCallSchema,
  toolCallSchema,
  waitQuerySchema,
  type ReportAttemptBody,
  type ResolveToolCallBody,
  type SubmitToolCallBody,
  type ToolCallView,
  type WaitQuery,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { PersonPrincipal, Principal, ToolCallId } from '#lib/kernel';
import { CancelToolCall, GetToolCall, ReportToolCall, ResolveToolCall, SubmitToolCall } from '#lib/tool-call';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  MayHold,
  RequirePerson,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { reportedOutcome } from '../http/reported-outcome.js';
import { AnswerToolCall } from './answer-tool-call.js';
import { questionOf } from './question-of.js';
import { toolCallView } from './tool-call-view.js';
import { ToolCallWaits } from './tool-call-waits.js';

@ApiTags('Tool calls')
@Controller('v1/tool-calls')
export class ToolCallsController {
  constructor(
    private readonly submitToolCall: SubmitToolCall,
    private readonly getToolCall: GetToolCall,
    private readonly cancelToolCall: CancelToolCall,
    private readonly waits: ToolCallWaits,
    private readonly reporting: ReportToolCall,
    private readonly resolving: ResolveToolCall,
    private readonly answering: AnswerToolCall,
  ) {}

  // No Idempotency-Key: client_call_id names the call, and its answer says until when an allow holds.
  @Summary('Asks to make one tool call now, without a plan. Answers 201 with the outcome, a deny included.')
  @Post()
  @RequireScope('run')
  @MayHold(MAX_WAIT_SECONDS)
  @Answers(201, toolCallSchema, 'The outcome: allowed, denied, or pending until people answer.')
  async submit(
    @CurrentPrincipal() by: Principal,
    @Body({ schema: submitToolCallSchema }) body: SubmitToolCallBody,
    @Query({ schema: waitQuerySchema }) { wait_seconds: seconds }: WaitQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolCallView> {
    const { environment, ...call } = body;
    const question = { ...questionOf(call), context: { environment } };
    const submit = async () => unwrap(await this.submitToolCall.execute(by, question));
    return this.answering.show(by, await this.waits.hold(reply, by, seconds, submit));
  }

  @Summary('One call with its answer, or its outcome.')
  @Get(':id')
  @RequireScope('read')
  @MayHold(MAX_WAIT_SECONDS)
  @Answers(200, toolCallSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ToolCallId,
    @Query({ schema: waitQuerySchema }) { wait_seconds: seconds }: WaitQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolCallView> {
    const read = async () => unwrap(await this.getToolCall.execute(by, id));
    return this.answering.show(by, await this.waits.hold(reply, by, seconds, read));
  }

  @Summary('Takes a call back that is pending, or allowed and not taken up.')
  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('run')
  @Answers(200, toolCallSchema)
  async cancel(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ToolCallId,
  ): Promise<ToolCallView> {
    return toolCallView(unwrap(await this.cancelToolCall.execute(by, id)), null);
  }

  @Summary('Reports the result of a call that the agent made itself; shown as unverified.')
  @Post(':id/result')
  @HttpCode(200)
  @RequireScope('run')
  @Answers(200, toolCallSchema)
  async report(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ToolCallId,
    @Body({ schema: reportAttemptSchema }) body: ReportAttemptBody,
  ): Promise<ToolCallView> {
    const report = { jti: body.jti, argumentsDigest: body.arguments_digest, outcome: reportedOutcome(body) };
    return toolCallView(unwrap(await this.reporting.execute(by, id, report)), null);
  }

  @Summary('Records the outcome that a person found out about an unknown call.')
  @Post(':id/resolve')
  @HttpCode(200)
  @RequireScope('run')
  @RequirePerson()
  @Answers(200, toolCallSchema)
  async resolve(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ToolCallId,
    @Body({ schema: resolveToolCallSchema }) body: ResolveToolCallBody,
  ): Promise<ToolCallView> {
    return toolCallView(unwrap(await this.resolving.execute(by, id, body)), null);
  }
}
