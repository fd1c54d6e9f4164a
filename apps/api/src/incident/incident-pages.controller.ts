import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { incidentPageListSchema, incidentPageSchema, pageQuerySchema, type IncidentPageView } from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import { ResendPages, type Page } from '#lib/incident';
import { type PersonPrincipal, toTimestamp } from '#lib/kernel';
import {
  Answers,
  CurrentPerson,
  pageAfter,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';

const LIST = 'incident_pages';

const pageView = ({ id, incidentId, action, state, attempts, lastError, createdAt }: Page): IncidentPageView => ({
  id,
  incident_id: incidentId,
  action,
  state,
  attempts,
  last_error: lastError,
  created_at: toTimestamp(createdAt),
});

@ApiTags('Incidents')
@Controller('v1/incident-pages')
export class IncidentPagesController {
  constructor(private readonly resending: ResendPages) {}

  @Summary('Events that PagerDuty did not take, newest first.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, incidentPageListSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: pageQuerySchema }) query: z.infer<typeof pageQuerySchema>,
  ): Promise<z.infer<typeof incidentPageListSchema>> {
    const pages = await this.resending.failed(by, pageAfter(LIST, query));
    return toPage(LIST, pages, query.limit, ({ createdAt, id }) => [createdAt, id], pageView);
  }

  @Summary('Sends PagerDuty again the alerts that were given up, and all that followed them.')
  @Post(':id/retry')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, incidentPageSchema)
  async retry(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: string,
  ): Promise<IncidentPageView> {
    return pageView(unwrap(await this.resending.execute(by, id)));
  }
}
