import { Body, Controller, Delete, Get, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  siemCollectorDetailSchema,
  siemCollectorSchema,
  siemCollectorSettingsSchema,
  siemCollectorTokenSchema,
  siemFileSchema,
  type ChangeRequestView,
  type SiemCollectorDetailView,
  type SiemCollectorSettingsBody,
  type SiemCollectorTokenBody,
  type SiemCollectorView,
  type SiemFileView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN } from '#lib/formats';
import { toTimestamp, type FollowerProgress, type PersonPrincipal } from '#lib/kernel';
import {
  ChangeCollector,
  ReadCollector,
  RemoveCollector,
  SetCollectorToken,
  TestCollector,
  type Collector,
} from '#lib/siem';
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
import { GuardedAnswers } from '../change-request/guarded-answers.js';

@ApiTags('SIEM')
@Controller('v1/siem-collector')
export class SiemController {
  constructor(
    private readonly reading: ReadCollector,
    private readonly changing: ChangeCollector,
    private readonly removing: RemoveCollector,
    private readonly settingToken: SetCollectorToken,
    private readonly testing: TestCollector,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The SIEM collector: the address that the events of the audit log are sent to as OCSF lines.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, siemCollectorDetailSchema)
  async get(@CurrentPerson() by: PersonPrincipal): Promise<SiemCollectorDetailView> {
    const { collector, progress } = unwrap(await this.reading.execute(by.tenantId));
    return { ...collectorView(collector), ...progressView(progress) };
  }

  @Summary('How far the export of the log to a file of the operator is.')
  @Get('file')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, siemFileSchema)
  async file(@CurrentPerson() by: PersonPrincipal): Promise<SiemFileView> {
    const progress = await this.reading.file(by.tenantId);
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

  @Summary('Names the SIEM collector; it waits for a second person. Another address loses the token of the former one.')
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, siemCollectorSchema)
  @MayWait()
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: siemCollectorSettingsSchema }) body: SiemCollectorSettingsBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SiemCollectorView | ChangeRequestView> {
    return this.answers.of(by, reply, unwrap(await this.changing.execute(by, body)), collectorView);
  }

  @Summary('Sets the bearer token that the SIEM collector is shown, or removes it. It is never shown again.')
  @Put('token')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async token(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: siemCollectorTokenSchema }) { token }: SiemCollectorTokenBody,
  ): Promise<void> {
    unwrap(await this.settingToken.execute(by, token));
  }

  @Summary('Removes the SIEM collector with its token, at once.')
  @Delete()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async remove(@CurrentPerson() by: PersonPrincipal): Promise<void> {
    unwrap(await this.removing.execute(by));
  }
}

const timeOf = (at: number | null): string | null => (at === null ? null : toTimestamp(at));

const progressView = (progress: FollowerProgress | null) => ({
  entries_behind: progress?.entriesBehind ?? 0,
  behind_since: timeOf(progress?.behindSince ?? null),
  failures: progress?.failures ?? 0,
  retry_at: timeOf(progress?.retryAt ?? null),
});

const collectorView = (collector: Collector): SiemCollectorView => ({
  id: collector.id,
  url: collector.url,
  ca: collector.ca,
  has_token: collector.hasToken,
  sent_at: timeOf(collector.sentAt),
  error: collector.error,
  error_at: timeOf(collector.errorAt),
  created_by: collector.createdBy,
  created_at: toTimestamp(collector.createdAt),
});
