import { Controller, Get, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  siemCollectorDetailSchema,
  siemCollectorSchema,
  siemCollectorSettingsSchema,
  siemFileSchema,
  type SiemCollectorDetailView,
  type SiemCollectorView,
  type SiemFileView,
} from '#lib/api-schemas';
import {
  ChangeConnection,
  ReadConnection,
  RemoveConnection,
  SetConnectionToken,
  TestConnection,
} from '#lib/connection';
import { PLATFORM_ADMIN } from '#lib/formats';
import type { FollowerProgress, PersonPrincipal } from '#lib/kernel';
import { ReadProgress, SIEM_COLLECTOR, type Collector, type CollectorSettings } from '#lib/siem';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { connectionController, connectionView, timeOf, withEtag } from '../connection/connection-controller.js';
import { Answers, AnswersNothing, CurrentPerson, RequireRole, RequireScope, Summary, unwrap } from '../http/index.js';

const view = (collector: Collector): SiemCollectorView => ({
  ...connectionView(SIEM_COLLECTOR, collector),
  sent_at: timeOf(collector.answeredAt),
});

@ApiTags('SIEM')
@Controller('v1/siem-collector')
export class SiemController extends connectionController({
  ...{ kind: SIEM_COLLECTOR, settings: siemCollectorSettingsSchema, answer: siemCollectorSchema, view },
}) {
  constructor(
    changing: ChangeConnection<CollectorSettings>,
    removing: RemoveConnection<CollectorSettings>,
    settingToken: SetConnectionToken<CollectorSettings>,
    answers: GuardedAnswers,
    private readonly reading: ReadConnection<CollectorSettings>,
    private readonly testing: TestConnection<CollectorSettings>,
    private readonly progress: ReadProgress,
  ) {
    super(changing, removing, settingToken, answers);
  }

  @Summary('The SIEM collector: the address that the events of the audit log are sent to as OCSF lines.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, siemCollectorDetailSchema)
  async get(
    @CurrentPerson() by: PersonPrincipal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SiemCollectorDetailView> {
    const collector = withEtag(reply, view(unwrap(await this.reading.execute(by.tenantId))));
    return { ...collector, ...progressView(await this.progress.collector(by.tenantId)) };
  }

  @Summary('The progress of the export of the log to a file of the operator.')
  @Get('file')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, siemFileSchema)
  async file(@CurrentPerson() by: PersonPrincipal): Promise<SiemFileView> {
    const progress = await this.progress.file(by.tenantId);
    return { exported: progress !== null, ...progressView(progress) };
  }

  @Summary('Sends a test event to the SIEM collector, after those that wait. After a failure it is tried at once.')
  @Post('test')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async test(@CurrentPerson() by: PersonPrincipal): Promise<void> {
    unwrap(await this.testing.execute(by));
  }
}

const progressView = (progress: FollowerProgress | null) => ({
  entries_behind: progress?.entriesBehind ?? 0,
  behind_since: timeOf(progress?.behindSince ?? null),
  failures: progress?.failures ?? 0,
  retry_at: timeOf(progress?.retryAt ?? null),
});
