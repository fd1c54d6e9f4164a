import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { destinationListSchema, type DestinationListView } from '#lib/api-schemas';
import { PLATFORM_ADMIN } from '#lib/formats';
import { CheckDestinations } from '#lib/incident';
import type { PersonPrincipal, Principal } from '#lib/kernel';
import { Answers, CurrentPerson, CurrentPrincipal, RequireRole, RequireScope, Summary } from '../http/index.js';
import { destinationView } from './incident-views.js';

@ApiTags('Incidents')
@Controller('v1/incident-destinations')
export class IncidentDestinationsController {
  constructor(private readonly checks: CheckDestinations) {}

  @Summary('The destinations of incidents, with the last test message to each address.')
  @Get()
  @RequireScope('admin')
  @Answers(200, destinationListSchema)
  async list(@CurrentPrincipal() by: Principal): Promise<DestinationListView> {
    return { items: (await this.checks.read(by.tenantId)).map(destinationView) };
  }

  @Summary('Sends every address of every destination a test message now, and answers with the results.')
  @Post('tests')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(201, destinationListSchema)
  async test(@CurrentPerson() by: PersonPrincipal): Promise<DestinationListView> {
    return { items: (await this.checks.testAll(by)).map(destinationView) };
  }
}
