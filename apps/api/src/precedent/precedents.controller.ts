import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  precedentListSchema,
  precedentQuerySchema,
  searchPrecedentsSchema,
  type PrecedentListView,
  type SearchPrecedentsBody,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { ApprovalRequestId, Principal } from '#lib/kernel';
import { FindPrecedents } from '#lib/precedent';
import { Answers, CurrentPrincipal, RequireScope, Summary, unwrap } from '../http/index.js';
import { precedentListView } from './precedent-views.js';

@ApiTags('Precedents')
@Controller('v1')
export class PrecedentsController {
  constructor(private readonly finding: FindPrecedents) {}

  @Summary('What was asked for or done before that is like a request, who approved it, and how it ended.')
  @Get('approval-requests/:id/precedents')
  @RequireScope('read')
  @Answers(200, precedentListSchema)
  async ofRequest(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
    @Query({ schema: precedentQuerySchema }) { limit }: z.infer<typeof precedentQuerySchema>,
  ): Promise<PrecedentListView> {
    return precedentListView(unwrap(await this.finding.ofRequest(by, id, limit)));
  }

  @Summary('Searches precedents by words, ids, tools and targets; nothing is created.')
  @Post('precedents/search')
  @HttpCode(200)
  @RequireScope('read')
  @Answers(200, precedentListSchema)
  async search(
    @CurrentPrincipal() by: Principal,
    @Body({ schema: searchPrecedentsSchema }) { argument_keys: argumentKeys, limit, ...body }: SearchPrecedentsBody,
  ): Promise<PrecedentListView> {
    return precedentListView(await this.finding.search(by, { ...body, argumentKeys }, limit));
  }
}
