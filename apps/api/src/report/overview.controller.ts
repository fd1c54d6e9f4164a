import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { overviewQuerySchema, overviewSchema, type OverviewView } from '#lib/api-schemas';
import type { Principal } from '#lib/kernel';
import { ReadOverview } from '#lib/report';
import { Answers, CurrentPrincipal, RequireScope, Summary } from '../http/index.js';

@ApiTags('Reports')
@Controller('v1/overview')
export class OverviewController {
  constructor(private readonly overview: ReadOverview) {}

  @Summary('Waiting requests, live runs, the time that approvals took, and decisions day by day.')
  @Get()
  @RequireScope('read')
  @Answers(200, overviewSchema)
  get(
    @CurrentPrincipal() caller: Principal,
    @Query({ schema: overviewQuerySchema }) query: z.infer<typeof overviewQuerySchema>,
  ): Promise<OverviewView> {
    return this.overview.execute(caller.tenantId, query.days);
  }
}
