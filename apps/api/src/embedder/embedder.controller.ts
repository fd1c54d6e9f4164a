import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  embedderAtWorkSchema,
  embedderSchema,
  embedderSettingsSchema,
  embedderTestSchema,
  embedderTokenSchema,
  type ChangeRequestView,
  type EmbedderAtWorkView,
  type EmbedderSettingsBody,
  type EmbedderTestView,
  type EmbedderTokenBody,
  type EmbedderView,
} from '#lib/api-schemas';
import {
  ChangeEmbedder,
  ReadEmbedder,
  RemoveEmbedder,
  SetEmbedderToken,
  TestEmbedder,
  type Embedder,
} from '#lib/embedder';
import { PLATFORM_ADMIN } from '#lib/formats';
import { toTimestamp, type PersonPrincipal } from '#lib/kernel';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  MayWait,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';

@ApiTags('Embedder')
@Controller('v1/embedder')
export class EmbedderController {
  constructor(
    private readonly reading: ReadEmbedder,
    private readonly changing: ChangeEmbedder,
    private readonly removing: RemoveEmbedder,
    private readonly settingToken: SetEmbedderToken,
    private readonly testing: TestEmbedder,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The embedder: the server that gives texts vectors of their meaning, to find precedents by meaning.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, embedderAtWorkSchema)
  async get(@CurrentPerson() by: PersonPrincipal): Promise<EmbedderAtWorkView> {
    const { embedder, waiting } = unwrap(await this.reading.execute(by.tenantId));
    return {
      ...embedderView(embedder),
      waiting,
      next_try_at: embedder.error === null ? null : toTimestamp(embedder.nextAt),
    };
  }

  @Summary('Asks the embedder for the vector of a fixed sentence, and waits for the answer.')
  @Post('test')
  @HttpCode(200)
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, embedderTestSchema)
  async test(@CurrentPerson() by: PersonPrincipal): Promise<EmbedderTestView> {
    return unwrap(await this.testing.execute(by));
  }

  @Summary('Names the embedder; another address waits for a second person, and loses the token of the former one.')
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, embedderSchema)
  @MayWait()
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: embedderSettingsSchema }) body: EmbedderSettingsBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EmbedderView | ChangeRequestView> {
    return this.answers.of(by, reply, unwrap(await this.changing.execute(by, body)), embedderView);
  }

  @Summary('Sets the bearer token that the embedder is shown, or removes it. It is never shown again.')
  @Put('token')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async token(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: embedderTokenSchema }) { token }: EmbedderTokenBody,
  ): Promise<void> {
    unwrap(await this.settingToken.execute(by, token));
  }

  @Summary('Removes the embedder with its token, at once.')
  @Delete()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async remove(@CurrentPerson() by: PersonPrincipal): Promise<void> {
    unwrap(await this.removing.execute(by));
  }
}

const timeOf = (at: number | null): string | null => (at === null ? null : toTimestamp(at));

const embedderView = (embedder: Embedder): EmbedderView => ({
  id: embedder.id,
  url: embedder.url,
  ca: embedder.ca,
  model: embedder.model,
  dimensions: embedder.dimensions,
  has_token: embedder.hasToken,
  answered_at: timeOf(embedder.answeredAt),
  error: embedder.error,
  error_at: timeOf(embedder.errorAt),
  created_by: embedder.createdBy,
  created_at: toTimestamp(embedder.createdAt),
});
