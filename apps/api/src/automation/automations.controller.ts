import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { safeToolsQuerySchema, safeToolsSchema, type SafeToolsQuery, type SafeToolsView } from '#lib/api-schemas';
import { ReadSafeTools } from '#lib/automation';
import type { Principal } from '#lib/kernel';
import { Answers, CurrentPrincipal, RequireScope, Summary, unwrap } from '../http/index.js';
import { tieredToolView } from './automation-views.js';

@ApiTags('Automations')
@Controller('v1/automations')
export class AutomationsController {
  constructor(private readonly tools: ReadSafeTools) {}

  @Summary('Every tool with its tier, and whether an automation may call it in an environment now.')
  @Get('safe-tools')
  @RequireScope('read')
  @Answers(200, safeToolsSchema)
  async safeTools(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: safeToolsQuerySchema }) { environment }: SafeToolsQuery,
  ): Promise<SafeToolsView> {
    return { environment, items: unwrap(await this.tools.tiers(by, environment)).map(tieredToolView) };
  }
}
