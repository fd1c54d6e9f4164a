import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  embedderAtWorkSchema,
  embedderSchema,
  embedderSettingsSchema,
  embedderTestSchema,
  type EmbedderAtWorkView,
  type EmbedderTestView,
  type EmbedderView,
} from '#lib/api-schemas';
import { ChangeConnection, ReadConnection, RemoveConnection, SetConnectionToken } from '#lib/connection';
import { EMBEDDER, ReadEmbedderWork, TestEmbedder, type Embedder, type EmbedderSettings } from '#lib/embedder';
import { PLATFORM_ADMIN } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { connectionController, connectionView, timeOf, withEtag } from '../connection/connection-controller.js';
import { Answers, CurrentPerson, RequireRole, RequireScope, Summary, unwrap } from '../http/index.js';

const view = (embedder: Embedder): EmbedderView => ({
  ...connectionView(EMBEDDER, embedder),
  answered_at: timeOf(embedder.answeredAt),
});

@ApiTags('Embedder')
@Controller('v1/embedder')
export class EmbedderController extends connectionController({
  ...{ kind: EMBEDDER, settings: embedderSettingsSchema, answer: embedderSchema, view },
}) {
  constructor(
    changing: ChangeConnection<EmbedderSettings>,
    removing: RemoveConnection<EmbedderSettings>,
    settingToken: SetConnectionToken<EmbedderSettings>,
    answers: GuardedAnswers,
    private readonly reading: ReadConnection<EmbedderSettings>,
    private readonly testing: TestEmbedder,
    private readonly work: ReadEmbedderWork,
  ) {
    super(changing, removing, settingToken, answers);
  }

  @Summary('The embedder: the server that gives texts vectors of their meaning, to find precedents by meaning.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, embedderAtWorkSchema)
  async get(
    @CurrentPerson() by: PersonPrincipal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EmbedderAtWorkView> {
    const embedder = withEtag(reply, view(unwrap(await this.reading.execute(by.tenantId))));
    const work = await this.work.execute(by.tenantId);
    const nextAt = embedder.error === null ? null : (work?.nextAt ?? null);
    return { ...embedder, waiting: work?.waiting ?? 0, next_try_at: timeOf(nextAt) };
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
}
