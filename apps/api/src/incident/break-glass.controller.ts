import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  breakGlassAvailabilityQuerySchema,
  breakGlassAvailabilitySchema,
  breakGlassInvokedSchema,
  checkBreakGlassSchema,
  invokeBreakGlassSchema,
  type BreakGlassAvailabilityView,
  type BreakGlassInvokedView,
  type InvokeBreakGlassBody,
} from '#lib/api-schemas';
import { BreakGlassAvailability, InvokeBreakGlass, type Availability } from '#lib/incident';
import type { PersonPrincipal, PlanId } from '#lib/kernel';
import {
  Answers,
  CurrentPerson,
  Emergency,
  Idempotent,
  RequirePerson,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { destinationView } from './incident-views.js';

@ApiTags('Break-glass')
@Controller('v1/break-glass')
export class BreakGlassController {
  constructor(
    private readonly invoking: InvokeBreakGlass,
    private readonly availability: BreakGlassAvailability,
  ) {}

  @Summary('Executes a plan at once, past approval, autonomy mode, freezes and simulation, and opens an incident.')
  @Post()
  @RequireScope('review')
  @Emergency()
  @RequirePerson()
  @Idempotent()
  @Answers(201, breakGlassInvokedSchema)
  async invoke(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: invokeBreakGlassSchema }) body: InvokeBreakGlassBody,
  ): Promise<BreakGlassInvokedView> {
    const { runId, incidentId } = unwrap(await this.invoking.execute(by, body));
    return { run_id: runId, incident_id: incidentId };
  }

  @Summary(
    'Whether the caller could break the glass for a plan now, with a second factor and a justification; why not.',
  )
  @Get('availability')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, breakGlassAvailabilitySchema)
  async available(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: breakGlassAvailabilityQuerySchema }) query: z.infer<typeof breakGlassAvailabilityQuerySchema>,
  ): Promise<BreakGlassAvailabilityView> {
    // The schema of the query has checked the form of the id.
    return availabilityView(unwrap(await this.availability.execute(by, query.plan_id as PlanId)));
  }

  @Summary(
    'The same with the justification that would be given: before a second factor is spent on one that is refused.',
  )
  @Post('availability')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, breakGlassAvailabilitySchema)
  async check(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: checkBreakGlassSchema }) body: z.infer<typeof checkBreakGlassSchema>,
  ): Promise<BreakGlassAvailabilityView> {
    // The schema of the body has checked the form of the id.
    return availabilityView(unwrap(await this.availability.execute(by, body.plan_id as PlanId, body.justification)));
  }
}

const availabilityView = (found: Availability): BreakGlassAvailabilityView => ({
  available: found.reasons.length === 0,
  reasons: found.reasons.map((reason) => ({ ...reason })),
  plan_id: found.planId,
  plan_digest: found.planDigest,
  plan_status: found.planStatus,
  enabled: found.emergencyOverride?.enabled === true,
  allowed_roles: [...(found.emergencyOverride?.allowed_roles ?? [])],
  notifies: [...(found.emergencyOverride?.notifies ?? [])],
  second_factor_enrolled: found.secondFactorEnrolled,
  notified: { destinations: found.notified.destinations.map(destinationView), people: { ...found.notified.people } },
});
