import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  precedentListSchema,
  precedentQuerySchema,
  searchPrecedentsSchema,
  type PrecedentListView,
  type SearchPrecedentsQuery,
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

  @Summary('The requests and runs of the past that are like a request, their approvers and their ends.')
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

  @Summary('Searches precedents by words, ids, tools and targets: for agents before they plan, and for people.')
  @Get('precedents')
  @RequireScope('read')
  @Answers(200, precedentListSchema)
  async search(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: searchPrecedentsSchema }) query: SearchPrecedentsQuery,
  ): Promise<PrecedentListView> {
    const question = {
      text: query.text,
      tools: namesIn(query.tools),
      environment: query.environment ?? null,
      argumentKeys: namesIn(query.argument_keys),
      targets: namesIn(query.targets),
    };
    return precedentListView(await this.finding.search(by, question, query.limit));
  }
}

const namesIn = (list: string | undefined): readonly string[] => list?.split(',').map((name) => name.trim()) ?? [];
