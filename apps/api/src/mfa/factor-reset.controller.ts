import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { resetFactorsSchema, uuidSchema } from '#lib/contracts';
import { PLATFORM_ADMIN } from '#lib/identity';
import type { PersonId, PersonPrincipal } from '#lib/kernel';
import { ResetFactors } from '#lib/mfa';
import { AnswersNothing, CurrentPerson, RequireRole, RequireScope, Summary, unwrap } from '../http/index.js';

@ApiTags('Second factors')
@Controller('v1/people')
export class FactorResetController {
  constructor(private readonly resetting: ResetFactors) {}

  @Summary('Takes every factor and recovery code of a person away who lost them. Nobody resets their own.')
  @Post(':id/factors/reset')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async reset(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: PersonId,
    @Body({ schema: resetFactorsSchema }) body: z.infer<typeof resetFactorsSchema>,
  ): Promise<void> {
    unwrap(await this.resetting.execute(by, id, body.reason));
  }
}
