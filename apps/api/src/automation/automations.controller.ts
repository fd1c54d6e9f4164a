import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  automationListSchema,
  automationPreviewSchema,
  previewAutomationSchema,
  previewQuerySchema,
  type AutomationPreviewView,
  type PreviewAutomationBody,
  type PreviewQuery,
  automationRunListSchema,
  automationSecretSchema,
  renewAutomationSecretSchema,
  type AutomationSecretView,
  type RenewAutomationSecretBody,
  automationSchema,
  blockedStepsSchema,
  changeAutomationSchema,
  enableAutomationSchema,
  judgedAutomationSchema,
  pageQuerySchema,
  proposeAutomationSchema,
  readAutomationSchema,
  safeToolsQuerySchema,
  safeToolsSchema,
  seenAutomationRunSchema,
  triggerAutomationSchema,
  automationRunSchema,
  type AutomationView,
  type BlockedStepsView,
  type ChangeAutomationBody,
  type EnableAutomationBody,
  type JudgedAutomationView,
  type PageQuery,
  type ProposeAutomationBody,
  type ReadAutomationView,
  type SafeToolsQuery,
  type SafeToolsView,
  type SeenAutomationRunView,
  type TriggerAutomationBody,
  type AutomationRunView,
} from '#lib/api-schemas';
import {
  ChangeAutomation,
  PreviewAutomation,
  ProposeAutomation,
  ReadAutomations,
  ReadSafeTools,
  RenewAutomationSecret,
  RequestAutomationRun,
  WithdrawAutomation,
  type AutomationId,
} from '#lib/automation';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import { toTimestamp, type AutomationRunId, type PersonPrincipal, type Principal } from '#lib/kernel';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  encodeCursor,
  Idempotent,
  IdempotentWithSecretAnswer,
  pageAfter,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import {
  automationRunView,
  automationView,
  blockedView,
  listedAutomationView,
  readAutomationView,
  seenRunView,
  tieredToolView,
  pastOccurrenceView,
} from './automation-views.js';

const PREVIEW = 'automation-preview';

@ApiTags('Automations')
@Controller('v1/automations')
export class AutomationsController {
  constructor(
    private readonly tools: ReadSafeTools,
    private readonly proposing: ProposeAutomation,
    private readonly previewing: PreviewAutomation,
    private readonly changing: ChangeAutomation,
    private readonly reading: ReadAutomations,
    private readonly requesting: RequestAutomationRun,
    private readonly renewing: RenewAutomationSecret,
    private readonly withdrawing: WithdrawAutomation,
  ) {}

  @Summary('Every tool with its tier, and whether an automation may call it in an environment now.')
  @Get('safe-tools')
  @RequireScope('read')
  @Answers(200, safeToolsSchema)
  async safeTools(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: safeToolsQuerySchema }) { environment }: SafeToolsQuery,
  ): Promise<SafeToolsView> {
    return { environment, items: unwrap(await this.tools.tiers(by, environment)).map(tieredToolView) };
  }

  @Summary('Checks an automation that is saved nowhere, and says which of its steps would be blocked now.')
  @Post('validate')
  @HttpCode(200)
  @RequireScope('read')
  @Answers(200, blockedStepsSchema)
  async validate(
    @CurrentPrincipal() by: Principal,
    @Body({ schema: proposeAutomationSchema }) { source }: ProposeAutomationBody,
  ): Promise<BlockedStepsView> {
    return { blocked: blockedView(unwrap(await this.proposing.validate(by, source))) };
  }

  @Summary('Lists the occurrences on which an automation would have run in the last thirty days. Executes nothing.')
  @Post('preview')
  @HttpCode(200)
  @RequireScope('audit')
  @Answers(200, automationPreviewSchema)
  async preview(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: previewQuerySchema }) { cursor }: PreviewQuery,
    @Body({ schema: previewAutomationSchema }) { source, automation_id: of }: PreviewAutomationBody,
  ): Promise<AutomationPreviewView> {
    const { after: before } = pageAfter(PREVIEW, { limit: 1, cursor });
    // The schema of the body has checked the form of the id.
    const asked = { source, of: (of ?? null) as AutomationId | null, before };
    const { occurrences, next } = unwrap(await this.previewing.execute(by, asked));
    return {
      items: occurrences.map(pastOccurrenceView),
      next_cursor: next === null ? null : encodeCursor(PREVIEW, [next.at, next.id]),
    };
  }

  @Summary('Proposes an automation. It does nothing before an admin enables it.')
  @Post()
  @RequireScope('submit')
  @Idempotent()
  @Answers(201, judgedAutomationSchema)
  async propose(
    @CurrentPrincipal() by: Principal,
    @Body({ schema: proposeAutomationSchema }) { source }: ProposeAutomationBody,
  ): Promise<JudgedAutomationView> {
    const { automation, blocked } = unwrap(await this.proposing.execute(by, source));
    return { ...automationView(automation), blocked: blockedView(blocked) };
  }

  @Summary('Withdraws an automation that you proposed, before an admin enables it. Its name is free again.')
  @Post(':id/withdraw')
  @HttpCode(200)
  @RequireScope('submit')
  @Answers(200, automationSchema)
  async withdraw(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
  ): Promise<AutomationView> {
    return automationView(unwrap(await this.withdrawing.execute(by, id)));
  }

  @Summary('Automations, newest first, each with its last run.')
  @Get()
  @RequireScope('read')
  @Answers(200, automationListSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof automationListSchema>> {
    const found = await this.reading.list(by, pageAfter('automations', query));
    const keyOf = ({ automation: { proposedAt, id } }: (typeof found)[number]): [number, string] => [proposedAt, id];
    return toPage('automations', found, query.limit, keyOf, listedAutomationView);
  }

  @Summary('An automation, with the source in force as it is read.')
  @Get(':id')
  @RequireScope('read')
  @Answers(200, readAutomationSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
  ): Promise<ReadAutomationView> {
    return readAutomationView(unwrap(await this.reading.get(by, id)));
  }

  @Summary('Puts another source in force, under the same name.')
  @Put(':id')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, judgedAutomationSchema)
  async change(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
    @Body({ schema: changeAutomationSchema }) { source, source_sha256 }: ChangeAutomationBody,
  ): Promise<JudgedAutomationView> {
    const { automation, blocked } = unwrap(await this.changing.change(by, id, source_sha256, source));
    return { ...automationView(automation), blocked: blockedView(blocked) };
  }

  @Summary('Lets an automation run, as an agent that you are accountable for.')
  @Post(':id/enable')
  @HttpCode(200)
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, automationSchema)
  async enable(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
    @Body({ schema: enableAutomationSchema }) { source_sha256 }: EnableAutomationBody,
  ): Promise<AutomationView> {
    return automationView(unwrap(await this.changing.enable(by, id, source_sha256)));
  }

  @Summary('Stops an automation. A run that goes on makes no further step.')
  @Post(':id/disable')
  @HttpCode(200)
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, automationSchema)
  async disable(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
  ): Promise<AutomationView> {
    return automationView(unwrap(await this.changing.disable(by, id)));
  }

  @Summary('Starts a run of an automation that has an endpoint, with the inputs that it declares.')
  @Post(':id/trigger')
  @HttpCode(202)
  @RequireScope('run')
  @Idempotent()
  @Answers(202, automationRunSchema)
  async trigger(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
    @Body({ schema: triggerAutomationSchema }) { inputs }: TriggerAutomationBody,
  ): Promise<AutomationRunView> {
    return automationRunView(unwrap(await this.requesting.execute(by, id, inputs)));
  }

  @Summary('Makes the secret that signs messages to an automation, and shows it once.')
  @Post(':id/secret')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @IdempotentWithSecretAnswer()
  @Answers(201, automationSecretSchema, 'The secret, shown this once.')
  async renewSecret(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
    @Body({ schema: renewAutomationSecretSchema }) { revoke_earlier: revoke }: RenewAutomationSecretBody,
  ): Promise<AutomationSecretView> {
    const { secret, earlierUntil } = unwrap(await this.renewing.execute(by, id, revoke));
    return { secret, earlier_until: toTimestamp(earlierUntil) };
  }

  @Summary('The runs of an automation, newest first.')
  @Get(':id/runs')
  @RequireScope('read')
  @Answers(200, automationRunListSchema)
  async runs(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof automationRunListSchema>> {
    const found = unwrap(await this.reading.listRuns(by, id, pageAfter('automation-runs', query)));
    const keyOf = ({ createdAt, id: run }: (typeof found)[number]): [number, string] => [createdAt, run];
    return toPage('automation-runs', found, query.limit, keyOf, automationRunView);
  }

  @Summary('A run of an automation, with the outcome of each step.')
  @Get(':id/runs/:run')
  @RequireScope('read')
  @Answers(200, seenAutomationRunSchema)
  async run(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
    @Param('run', { schema: uuidSchema }) run: AutomationRunId,
  ): Promise<SeenAutomationRunView> {
    return seenRunView(unwrap(await this.reading.getRun(by, id, run)));
  }
}
