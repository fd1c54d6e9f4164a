import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  runnerCallListSchema,
  runnerCallsQuerySchema,
  callOutputQuerySchema,
  seenOutputSchema,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { Principal } from '#lib/kernel';
import { ReadCalls, type RunnerDispatchId } from '#lib/runner-pool';
import { Answers, CurrentPrincipal, RequirePerson, RequireScope, Summary, unwrap } from '../http/index.js';
import { seenCallView } from './runner-views.js';

/** For people: an agent reads the output of its own calls at its tool calls. */
@ApiTags('Runners')
@Controller('v1/runner-calls')
export class RunnerCallsController {
  constructor(private readonly reading: ReadCalls) {}

  @Summary('The calls of a run, or of a single call, that runners fetch; at most 500, in the order of their offers.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, runnerCallListSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: runnerCallsQuerySchema }) query: z.infer<typeof runnerCallsQuerySchema>,
  ): Promise<z.infer<typeof runnerCallListSchema>> {
    return { items: (await this.reading.ofSource(by.tenantId, query.source_id)).map(seenCallView) };
  }

  @Summary('The output of a call on a runner, while it arrives and afterwards.')
  @Get(':id/output')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, seenOutputSchema)
  async output(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: RunnerDispatchId,
    @Query({ schema: callOutputQuerySchema }) query: z.infer<typeof callOutputQuerySchema>,
  ): Promise<z.infer<typeof seenOutputSchema>> {
    const { chunks, cut, open } = unwrap(await this.reading.output(by.tenantId, id, query.after));
    return { chunks: [...chunks], cut, open };
  }
}
