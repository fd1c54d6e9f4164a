import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { appendCallOutputSchema, callOutputQuerySchema, callOutputSchema, keptOutputSchema } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { Principal, ToolCallId } from '#lib/kernel';
import { ReadCalls } from '#lib/runner-pool';
import { AppendCallOutput, ReadCallOutput } from '#lib/tool-call';
import { Answers, CurrentPrincipal, RequireScope, Summary, unwrap } from '../http/index.js';

@ApiTags('Tool calls')
@Controller('v1/tool-calls')
export class ToolCallOutputController {
  constructor(
    private readonly reading: ReadCallOutput,
    private readonly appending: AppendCallOutput,
    private readonly runners: ReadCalls,
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
    const { answeredBy, chunks, open } = unwrap(await this.reading.execute(by, id, after));
    // A call that was sent again shows the output of its latest attempt.
    const latest = answeredBy === 'executor' ? (await this.runners.ofSource(by.tenantId, id)).at(-1) : undefined;
    if (latest !== undefined) {
      const seen = unwrap(await this.runners.output(by.tenantId, latest.id, after));
      return { chunks: [...seen.chunks], cut: seen.cut, open };
    }
    const shown = chunks.map(({ seq, stream, text }) => ({ seq, stream, text }));
    return { chunks: shown, cut: chunks.some(({ cut }) => cut), open };
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
