import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  addedRunnerSchema,
  newRunnerSchema,
  runnerListSchema,
  runnerViewSchema,
  waitingRunnerSchema,
  type RunnerView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import type { PersonPrincipal, Principal } from '#lib/kernel';
import { AddRunner, ReadRunners, RevokeRunner, type RunnerId } from '#lib/runner-pool';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  IdempotentWithSecretAnswer,
  MayWait,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { runnerView } from './runner-views.js';

@ApiTags('Runners')
@Controller('v1/runners')
export class RunnersController {
  constructor(
    private readonly reading: ReadRunners,
    private readonly adding: AddRunner,
    private readonly revoking: RevokeRunner,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The runners of the tenant, newest first and at most 500, with the tools that they advertise.')
  @Get()
  @RequireScope('read')
  @Answers(200, runnerListSchema)
  async list(@CurrentPrincipal() by: Principal): Promise<z.infer<typeof runnerListSchema>> {
    return { items: (await this.reading.list(by.tenantId)).map(runnerView) };
  }

  @Summary(
    'Adds a runner to a pool, with the one-time token that makes a machine this runner. It waits for a second person.',
  )
  @Post()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @IdempotentWithSecretAnswer()
  @Answers(201, addedRunnerSchema)
  @MayWait(waitingRunnerSchema)
  async add(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: newRunnerSchema }) body: z.infer<typeof newRunnerSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof addedRunnerSchema> | z.infer<typeof waitingRunnerSchema>> {
    const { token, guarded } = unwrap(await this.adding.execute(by, body));
    const answer = await this.answers.of(by, reply, guarded, ({ runner, expiresAt }) => ({
      ...runnerView({ runner, state: 'invited', mcpServers: [] }),
      expires_at: new Date(expiresAt).toISOString(),
    }));
    return { ...answer, enrolment_token: token };
  }

  @Summary('Revokes a runner and its keys, at once. The calls that it has taken count as unknown.')
  @Post(':id/revoke')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, runnerViewSchema)
  async revoke(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: RunnerId,
  ): Promise<RunnerView> {
    return runnerView({ runner: unwrap(await this.revoking.execute(by, id)), state: 'revoked', mcpServers: [] });
  }
}
