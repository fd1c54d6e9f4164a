import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { incidentSettingsSchema, PAGERDUTY_EVENTS_URL, type IncidentSettingsView } from '#lib/contracts';
import { PLATFORM_ADMIN } from '#lib/identity';
import { ChangeIncidentSettings, type IncidentSettings } from '#lib/incident';
import type { PersonPrincipal, Principal } from '#lib/kernel';
import { Answers, CurrentPerson, CurrentPrincipal, RequireRole, RequireScope, Summary, unwrap } from '../http/index.js';

@ApiTags('Incidents')
@Controller('v1/incident-settings')
export class IncidentSettingsController {
  constructor(private readonly settings: ChangeIncidentSettings) {}

  @Summary('Where incidents are told, by when they are reviewed, and the PagerDuty integration.')
  @Get()
  @RequireScope('admin')
  @Answers(200, incidentSettingsSchema)
  async get(@CurrentPrincipal() by: Principal): Promise<IncidentSettingsView> {
    return settingsView(await this.settings.read(by.tenantId));
  }

  @Summary('Sets them. The routing key is a secret of the tenant, named here.')
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, incidentSettingsSchema)
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: incidentSettingsSchema }) body: IncidentSettingsView,
  ): Promise<IncidentSettingsView> {
    const { destinations, review_days: reviewDays, pagerduty } = body;
    const pagerDuty =
      pagerduty === null ? null : { secret: pagerduty.routing_key.$secret, url: pagerduty.url ?? PAGERDUTY_EVENTS_URL };
    return settingsView(unwrap(await this.settings.execute(by, { destinations, reviewDays, pagerDuty })));
  }
}

const settingsView = ({ destinations, reviewDays, pagerDuty }: IncidentSettings): IncidentSettingsView => ({
  destinations: Object.fromEntries(Object.entries(destinations).map(([name, reached]) => [name, [...reached]])),
  review_days: reviewDays,
  pagerduty: pagerDuty === null ? null : { routing_key: { $secret: pagerDuty.secret }, url: pagerDuty.url },
});
