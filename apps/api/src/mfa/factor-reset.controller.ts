import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  factorsResetSchema,
  resetFactorsSchema,
  type ChangeRequestView,
  type FactorsResetView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import type { PersonId, PersonPrincipal } from '#lib/kernel';
import { ResetFactors } from '#lib/mfa';
import { Answers, CurrentPerson, MayWait, RequireRole, RequireScope, Summary, unwrap } from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';

@ApiTags('Second factors')
@Controller('v1/people')
export class FactorResetController {
  constructor(
    private readonly resetting: ResetFactors,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary(
    'Removes every factor and recovery code of a person who lost them. It waits for a second person. You cannot reset your own.',
  )
  @Post(':id/factors/reset')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, factorsResetSchema)
  @MayWait()
  async reset(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: PersonId,
    @Body({ schema: resetFactorsSchema }) body: z.infer<typeof resetFactorsSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FactorsResetView | ChangeRequestView> {
    const reset = unwrap(await this.resetting.execute(by, id, body.reason));
    return this.answers.of(by, reply, reset, (removed) => ({ removed }));
  }
}
