import { Body, Controller, Get, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  incidentSettingsSchema,
  incidentSettingsSetSchema,
  PAGERDUTY_EVENTS_URL,
  type ChangeRequestView,
  type IncidentSettingsView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN } from '#lib/formats';
import { ChangeIncidentSettings, type IncidentSettings } from '#lib/incident';
import type { PersonPrincipal, Principal } from '#lib/kernel';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  MayWait,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';

@ApiTags('Incidents')
@Controller('v1/incident-settings')
export class IncidentSettingsController {
  constructor(
    private readonly settings: ChangeIncidentSettings,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The destinations of incidents, the time for a review, and the PagerDuty integration.')
  @Get()
  @RequireScope('admin')
  @Answers(200, incidentSettingsSchema)
  async get(@CurrentPrincipal() by: Principal): Promise<IncidentSettingsView> {
    return settingsView(await this.settings.read(by.tenantId));
  }

  @Summary(
    'Sets them. The routing key is a secret of the tenant, named here. A change that notifies fewer people waits for a second person.',
  )
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, incidentSettingsSetSchema)
  @MayWait()
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: incidentSettingsSchema }) body: IncidentSettingsView,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IncidentSettingsView | ChangeRequestView> {
    const { destinations, review_days: reviewDays, pagerduty } = body;
    const pagerDuty =
      pagerduty === null ? null : { secret: pagerduty.routing_key.$secret, url: pagerduty.url ?? PAGERDUTY_EVENTS_URL };
    const set = unwrap(await this.settings.execute(by, { destinations, reviewDays, pagerDuty }));
    return this.answers.of(by, reply, set, settingsView);
  }
}

const settingsView = ({ destinations, reviewDays, pagerDuty }: IncidentSettings): IncidentSettingsView => ({
  destinations: Object.fromEntries(Object.entries(destinations).map(([name, reached]) => [name, [...reached]])),
  review_days: reviewDays,
  pagerduty: pagerDuty === null ? null : { routing_key: { $secret: pagerDuty.secret }, url: pagerDuty.url },
});
