import { Body, Controller, Delete, Get, Param, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  acceptToolSchema,
  safeListEntrySchema,
  safeListSchema,
  type AcceptToolBody,
  type ChangeRequestView,
  type SafeListEntryView,
} from '#lib/api-schemas';
import { AcceptTool, ReadSafeTools, RemoveSafeTool } from '#lib/automation';
import { PLATFORM_ADMIN, toolNameSchema } from '#lib/formats';
import type { PersonPrincipal, Principal } from '#lib/kernel';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  CurrentPrincipal,
  MayWait,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { safeListEntryView } from './automation-views.js';

@ApiTags('Automations')
@Controller('v1/automation-safe-list')
export class AutomationSafeListController {
  constructor(
    private readonly reading: ReadSafeTools,
    private readonly accepting: AcceptTool,
    private readonly removing: RemoveSafeTool,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The tools of the modify tier that automations may call, each at the version that was accepted.')
  @Get()
  @RequireScope('read')
  @Answers(200, safeListSchema)
  async list(@CurrentPrincipal() by: Principal): Promise<z.infer<typeof safeListSchema>> {
    return { items: (await this.reading.list(by)).map(safeListEntryView) };
  }

  @Summary('Puts a tool on the list, at one version. It waits for a second person.')
  @Put(':name')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, safeListEntrySchema)
  @MayWait()
  async accept(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: toolNameSchema }) name: string,
    @Body({ schema: acceptToolSchema }) { version }: AcceptToolBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SafeListEntryView | ChangeRequestView> {
    const guarded = unwrap(await this.accepting.execute(by, { tool: name, version }));
    return this.answers.of(by, reply, guarded, (entry) => safeListEntryView({ entry, counts: true }));
  }

  @Summary('Takes a tool off the list, at once.')
  @Delete(':name')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async remove(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: toolNameSchema }) name: string,
  ): Promise<void> {
    unwrap(await this.removing.execute(by, name));
  }
}
