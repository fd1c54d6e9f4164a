import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  proveStepUpSchema,
  startStepUpSchema,
  stepUpProofSchema,
  stepUpSchema,
  type ProveStepUpBody,
  type StartStepUpBody,
  type StepUpProofView,
  type StepUpView,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import { StepUpForOperation } from '#lib/mfa';
import { RotateBrowserSession } from '#lib/sign-in';
import type { StepUpId } from '#lib/identity';
import {
  Answers,
  CurrentPerson,
  Emergency,
  RequirePerson,
  RequireScope,
  setBrowserSessionCookie,
  Summary,
  unwrap,
} from '../http/index.js';
import { proofView, stepUpView } from './mfa-views.js';

@ApiTags('Second factors')
@Controller('v1/step-ups')
export class StepUpsController {
  constructor(
    private readonly stepUps: StepUpForOperation,
    private readonly browserSessions: RotateBrowserSession,
  ) {}

  @Summary('Begins to prove a second factor for one operation.')
  @Post()
  @RequireScope('review')
  @Emergency()
  @RequirePerson()
  @Answers(201, stepUpSchema)
  async start(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: startStepUpSchema }) body: StartStepUpBody,
  ): Promise<StepUpView> {
    return stepUpView(unwrap(await this.stepUps.start(by, body.operation)));
  }

  @Summary('Proves a second factor for one operation. The proof counts once, within five minutes.')
  @Post(':id/proof')
  @RequireScope('review')
  @Emergency()
  @RequirePerson()
  @Answers(200, stepUpProofSchema)
  async prove(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: StepUpId,
    @Body({ schema: proveStepUpSchema }) body: ProveStepUpBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StepUpProofView> {
    const proved = unwrap(await this.stepUps.prove(by, id, body));
    const token = await this.browserSessions.execute(by);
    if (token !== null) setBrowserSessionCookie(reply, token);
    return proofView(proved);
  }
}
