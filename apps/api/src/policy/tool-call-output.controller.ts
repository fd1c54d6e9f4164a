import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { appendCallOutputSchema, callOutputQuerySchema, callOutputSchema, keptOutputSchema } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { Principal, ToolCallId } from '#lib/kernel';
import { AppendCallOutput } from '#lib/tool-call';
import { Answers, CurrentPrincipal, RequireScope, Summary, unwrap } from '../http/index.js';
import { CallOutputs } from './call-outputs.js';

@ApiTags('Tool calls')
@Controller('v1/tool-calls')
export class ToolCallOutputController {
  constructor(
    private readonly outputs: CallOutputs,
    private readonly appending: AppendCallOutput,
  ) {}

  @Summary('The output of a call on a runner or with its agent, while it arrives and afterwards.')
  @Get(':id/output')
  @RequireScope('read')
  @Answers(200, callOutputSchema)
  async read(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ToolCallId,
    @Query({ schema: callOutputQuerySchema }) { after }: z.infer<typeof callOutputQuerySchema>,
  ): Promise<z.infer<typeof callOutputSchema>> {
    return this.outputs.read(by, id, after);
  }

  @Summary('Appends output of a call that the agent makes itself.')
  @Post(':id/output')
  @HttpCode(200)
  @RequireScope('run')
  @Answers(200, keptOutputSchema)
  async append(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ToolCallId,
    @Body({ schema: appendCallOutputSchema }) body: z.infer<typeof appendCallOutputSchema>,
  ): Promise<z.infer<typeof keptOutputSchema>> {
    return unwrap(await this.appending.execute(by, id, body.first_seq, body.chunks));
  }
}
