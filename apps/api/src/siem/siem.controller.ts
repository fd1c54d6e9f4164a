import { Body, Controller, Delete, Get, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  siemCollectorSchema,
  siemCollectorSettingsSchema,
  siemCollectorTokenSchema,
  type ChangeRequestView,
  type SiemCollectorSettingsBody,
  type SiemCollectorTokenBody,
  type SiemCollectorView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN } from '#lib/formats';
import { toTimestamp, type PersonPrincipal } from '#lib/kernel';
import { ChangeCollector, ReadCollector, RemoveCollector, SetCollectorToken, type Collector } from '#lib/siem';
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
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The SIEM collector: the address that the events of the audit log are sent to as OCSF lines.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, siemCollectorSchema)
  async get(@CurrentPerson() by: PersonPrincipal): Promise<SiemCollectorView> {
    return collectorView(unwrap(await this.reading.execute(by.tenantId)));
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
