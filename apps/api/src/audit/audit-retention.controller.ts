import { Body, Controller, Get, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SetPayloadRetention } from '#lib/audit';
import { retentionSchema, retentionSetSchema, type ChangeRequestView, type RetentionView } from '#lib/api-schemas';
import { PLATFORM_ADMIN } from '#lib/formats';
import type { PersonPrincipal, Principal } from '#lib/kernel';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  MayWait,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';

/** How long the log keeps the payloads of its entries. */
@ApiTags('Audit')
@Controller('v1/audit/retention')
export class AuditRetentionController {
  constructor(
    private readonly retention: SetPayloadRetention,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The time for which payloads are kept, by audit level. Headers and proofs stay for ever.')
  @Get()
  @RequireScope('audit')
  @Answers(200, retentionSchema)
  async get(@CurrentPrincipal() by: Principal): Promise<RetentionView> {
    return { keep_days: { ...(await this.retention.read(by.tenantId)) } };
  }

  @Summary('Sets how long payloads are kept, by audit level. To keep one less long waits for a second person.')
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, retentionSetSchema)
  @MayWait()
  async set(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: retentionSchema }) { keep_days: wanted }: RetentionView,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RetentionView | ChangeRequestView> {
    const set = unwrap(await this.retention.execute(by, wanted));
    return this.answers.of(by, reply, set, (rule) => ({ keep_days: { ...rule } }));
  }
}
