import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { ChangeAbsences } from '#lib/approval';
import {
  absencePageSchema,
  absenceSchema,
  newAbsenceSchema,
  pageQuerySchema,
  type AbsenceView,
  type NewAbsenceBody,
  type PageQuery,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { type PersonId, type PersonPrincipal } from '#lib/kernel';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  Idempotent,
  pageAfter,
  RequirePerson,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { absenceView } from './approval-views.js';

const LIST = 'absences';

@ApiTags('Approval')
@Controller('v1/absences')
export class AbsencesController {
  constructor(private readonly absences: ChangeAbsences) {}

  @Summary(
    "Hands the caller's reviewing roles to somebody for an absence. It counts on requests that open from then on, and both count as one.",
  )
  @Post()
  @RequireScope('review')
  @RequirePerson()
  @Idempotent()
  @Answers(201, absenceSchema)
  async begin(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: newAbsenceSchema }) body: NewAbsenceBody,
  ): Promise<AbsenceView> {
    const wish = {
      // The schema of the body has checked the form of the id.
      delegateId: body.delegate_id as PersonId,
      roles: body.roles ?? null,
      from: body.from === undefined ? null : Date.parse(body.from),
      until: Date.parse(body.until),
    };
    return absenceView(unwrap(await this.absences.begin(by, wish)));
  }

  @Summary('Absences and the people who stand in, newest first.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, absencePageSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof absencePageSchema>> {
    const found = await this.absences.list(by, pageAfter(LIST, query));
    return toPage(LIST, found, query.limit, ({ absence }) => [absence.createdAt, absence.id], absenceView);
  }

  @Summary(
    'Takes an absence back, by the person who is away or an admin. Approvals given with it that have not started are void.',
  )
  @Delete(':id')
  @RequireScope('review')
  @RequirePerson()
  @AnswersNothing()
  async end(@CurrentPerson() by: PersonPrincipal, @Param('id', { schema: uuidSchema }) id: string): Promise<void> {
    unwrap(await this.absences.end(by, id));
  }
}
