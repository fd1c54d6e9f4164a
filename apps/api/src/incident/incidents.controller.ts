import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  acknowledgeIncidentSchema,
  incidentDetailSchema,
  incidentListSchema,
  incidentQuerySchema,
  incidentSchema,
  noteIncidentSchema,
  resolveIncidentSchema,
  reviewIncidentSchema,
  type AcknowledgeIncidentBody,
  type IncidentDetailView,
  type IncidentQuery,
  type IncidentView,
  type NoteIncidentBody,
  type ResolveIncidentBody,
  type ReviewIncidentBody,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { ActOnIncident, ReadIncidents, type IncidentAction } from '#lib/incident';
import type { IncidentId, PersonPrincipal, PlanId } from '#lib/kernel';
import {
  Answers,
  CurrentPerson,
  Idempotent,
  pageAfter,
  RequirePerson,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { workFilterOf } from '../http/work-filter-of.js';
import { incidentDetailView, incidentView } from './incident-views.js';

@ApiTags('Incidents')
@Controller('v1/incidents')
export class IncidentsController {
  constructor(
    private readonly reading: ReadIncidents,
    private readonly acting: ActOnIncident,
  ) {}

  @Summary('Incidents, newest first.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, incidentListSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: incidentQuerySchema }) query: IncidentQuery,
  ): Promise<z.infer<typeof incidentListSchema>> {
    const filter = {
      ...workFilterOf(query),
      ...(query.state === undefined ? {} : { state: query.state }),
      // The schema of the query has checked the form of the id.
      ...(query.plan_id === undefined ? {} : { planId: query.plan_id as PlanId }),
      ...(query.overdue === undefined ? {} : { overdue: true as const }),
    };
    const found = await this.reading.list(by.tenantId, filter, pageAfter('incidents', query));
    const keyOf = ({ incident }: (typeof found)[number]): [number, string] => [incident.openedAt, incident.id];
    return toPage('incidents', found, query.limit, keyOf, incidentView);
  }

  @Summary('An incident with its timeline and its events for PagerDuty.')
  @Get(':id')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, incidentDetailSchema)
  async get(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: IncidentId,
  ): Promise<IncidentDetailView> {
    return incidentDetailView(unwrap(await this.reading.get(by.tenantId, id, by.personId)), by);
  }

  @Summary('Acknowledges an incident.')
  @Post(':id/acknowledge')
  @RequireScope('review')
  @RequirePerson()
  @Answers(200, incidentSchema)
  acknowledge(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: IncidentId,
    @Body({ schema: acknowledgeIncidentSchema }) body: AcknowledgeIncidentBody,
  ): Promise<IncidentView> {
    return this.#act(by, id, { kind: 'acknowledge', note: body.note ?? '' });
  }

  @Summary('Adds a note to the timeline.')
  @Post(':id/notes')
  @RequireScope('review')
  @RequirePerson()
  @Idempotent()
  @Answers(200, incidentSchema)
  note(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: IncidentId,
    @Body({ schema: noteIncidentSchema }) body: NoteIncidentBody,
  ): Promise<IncidentView> {
    return this.#act(by, id, { kind: 'note', text: body.text });
  }

  @Summary('Resolves an incident with a post-mortem, once its run has ended.')
  @Post(':id/resolve')
  @RequireScope('review')
  @RequirePerson()
  @Answers(200, incidentSchema)
  resolve(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: IncidentId,
    @Body({ schema: resolveIncidentSchema }) body: ResolveIncidentBody,
  ): Promise<IncidentView> {
    return this.#act(by, id, { kind: 'resolve', postMortem: body.post_mortem });
  }

  @Summary('Reviews a post-mortem. The person who broke the glass cannot.')
  @Post(':id/review')
  @RequireScope('review')
  @RequirePerson()
  @Answers(200, incidentSchema)
  review(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: IncidentId,
    @Body({ schema: reviewIncidentSchema }) body: ReviewIncidentBody,
  ): Promise<IncidentView> {
    return this.#act(by, id, { kind: 'review', comment: body.comment });
  }

  async #act(by: PersonPrincipal, id: IncidentId, action: IncidentAction): Promise<IncidentView> {
    return incidentView(unwrap(await this.acting.execute(by, id, action)));
  }
}
