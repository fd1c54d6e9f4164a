import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { sessionCallListSchema, sessionCallQuerySchema, type SessionCallQuery } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { Principal, SessionId } from '#lib/kernel';
import { ListSessionCalls } from '#lib/tool-call';
import { Answers, CurrentPrincipal, pageAfter, RequireScope, Summary, toPage, unwrap } from '../http/index.js';
import { sessionCallView } from './session-call-view.js';

@ApiTags('Tool calls')
@Controller('v1/sessions')
export class SessionCallsController {
  constructor(private readonly listing: ListSessionCalls) {}

  @Summary('The calls of a session that policies were asked about, newest first, each with its outcome.')
  @Get(':id/tool-calls')
  @RequireScope('read')
  @Answers(200, sessionCallListSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: SessionId,
    @Query({ schema: sessionCallQuerySchema }) query: SessionCallQuery,
  ): Promise<z.infer<typeof sessionCallListSchema>> {
    const page = pageAfter('session-calls', query);
    const { session, calls } = unwrap(await this.listing.execute(by, id, page, query.state));
    return toPage(
      'session-calls',
      calls,
      query.limit,
      ({ call }) => [call.askedAt, call.id],
      (each) => sessionCallView(session, each),
    );
  }
}
