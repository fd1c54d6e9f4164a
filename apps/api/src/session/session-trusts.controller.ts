import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { pageQuerySchema, sessionTrustListSchema, type PageQuery } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { Principal, SessionId } from '#lib/kernel';
import { ListTrusts, RevokeTrust, type SessionTrustId } from '#lib/session';
import {
  Answers,
  AnswersNothing,
  CurrentPrincipal,
  pageAfter,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { trustView } from './session-views.js';

@ApiTags('Sessions')
@Controller('v1/sessions/:id/trusts')
export class SessionTrustsController {
  constructor(
    private readonly listing: ListTrusts,
    private readonly revoking: RevokeTrust,
  ) {}

  @Summary(
    'The trusts of a session, newest first: a person said "always" to calls like these. Those taken back are among them.',
  )
  @Get()
  @RequireScope('read')
  @Answers(200, sessionTrustListSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: SessionId,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof sessionTrustListSchema>> {
    const trusts = unwrap(await this.listing.execute(by, id, pageAfter('session-trusts', query)));
    return toPage('session-trusts', trusts, query.limit, ({ madeAt, id: trust }) => [madeAt, trust], trustView);
  }

  @Summary('Takes an "always" back; the next call asks again.')
  @Delete(':trust')
  @RequireScope('run')
  @AnswersNothing()
  async revoke(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: SessionId,
    @Param('trust', { schema: uuidSchema }) trust: SessionTrustId,
  ): Promise<void> {
    unwrap(await this.revoking.execute(by, id, trust));
  }
}
