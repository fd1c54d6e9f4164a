import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  slackAppSchema,
  slackInstallSchema,
  slackLinkCodeSchema,
  slackLinkListSchema,
  slackLinkSchema,
  slackRoutesSchema,
  slackSettingsSchema,
  slackTestSchema,
  slackUserSchema,
  type ChangeRequestView,
  type SlackLinkView,
  type SlackSettingsView,
  type SlackTestView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN } from '#lib/formats';
import type { PersonId, PersonPrincipal } from '#lib/kernel';
import { LinkSlackUser, PutSlackApp, RouteSlack, SlackSetUp, TestSlack } from '#lib/slack';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  MayWait,
  RequirePerson,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { slackLinkView, slackSettingsView, slackTestView } from './slack-views.js';

/** The Slack set-up of admins, and the links between Slack users and people. */
@ApiTags('Slack')
@Controller('v1/slack')
export class SlackSettingsController {
  constructor(
    private readonly setUp: SlackSetUp,
    private readonly entering: PutSlackApp,
    private readonly routing: RouteSlack,
    private readonly links: LinkSlackUser,
    private readonly testing: TestSlack,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The tenant’s Slack app, workspace, channels and people on duty; no secret is shown.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, slackSettingsSchema)
  async get(@CurrentPerson() by: PersonPrincipal): Promise<SlackSettingsView> {
    return slackSettingsView(await this.setUp.settings(by));
  }

  @Summary(
    'Enters the credentials of the Slack app that was made from docs/slack-app-manifest.yaml; it waits for a second person.',
  )
  @Put('app')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, slackSettingsSchema)
  @MayWait()
  async app(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: slackAppSchema }) body: z.infer<typeof slackAppSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SlackSettingsView | ChangeRequestView> {
    const { client_id: clientId, client_secret: clientSecret, signing_secret: signingSecret } = body;
    const entered = unwrap(await this.entering.execute(by, { clientId, clientSecret, signingSecret }));
    return this.answers.of(by, reply, entered, slackSettingsView);
  }

  @Summary('Begins the installation into a workspace: where to send the admin’s browser, once and within ten minutes.')
  @Get('install')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, slackInstallSchema)
  async install(@CurrentPerson() by: PersonPrincipal): Promise<z.infer<typeof slackInstallSchema>> {
    return { redirect_to: unwrap(await this.setUp.begin(by)) };
  }

  @Summary('Asks Slack whether the bot’s token is good and whether it can post in each channel; it posts nothing.')
  @Post('test')
  @HttpCode(200)
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, slackTestSchema)
  async test(@CurrentPerson() by: PersonPrincipal): Promise<SlackTestView> {
    return slackTestView(unwrap(await this.testing.execute(by)));
  }

  @Summary('Forgets the workspace and the bot’s token.')
  @Delete('installation')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async remove(@CurrentPerson() by: PersonPrincipal): Promise<void> {
    await this.setUp.remove(by);
  }

  @Summary(
    'Sets the channel of each environment and the people on duty; it waits for a second person if somebody is told no longer.',
  )
  @Put('routes')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, slackSettingsSchema)
  @MayWait()
  async routes(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: slackRoutesSchema }) body: z.infer<typeof slackRoutesSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SlackSettingsView | ChangeRequestView> {
    // The schema of the body has checked the form of the ids.
    const wanted = { channels: body.channels, onDuty: body.on_duty as PersonId[] };
    return this.answers.of(by, reply, unwrap(await this.routing.execute(by, wanted)), slackSettingsView);
  }

  @Summary('The Slack user that a link would give you, for a look before you confirm it.')
  @Post('link/preview')
  @RequireScope('review')
  @RequirePerson()
  @Answers(200, slackUserSchema)
  async preview(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: slackLinkCodeSchema }) { code }: z.infer<typeof slackLinkCodeSchema>,
  ): Promise<z.infer<typeof slackUserSchema>> {
    const user = unwrap(await this.links.preview(by, code));
    return { team_name: user.teamName, user_id: user.userId, name: user.name };
  }

  @Summary('Confirms that the Slack user who asked for this link is you. From then on they review as you.')
  @Post('link')
  @RequireScope('review')
  @RequirePerson()
  @Answers(201, slackLinkSchema)
  async link(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: slackLinkCodeSchema }) { code }: z.infer<typeof slackLinkCodeSchema>,
  ): Promise<SlackLinkView> {
    return slackLinkView(unwrap(await this.links.confirm(by, code)));
  }

  @Summary('The Slack users that are you. Revoke a link’s credential to end it.')
  @Get('links')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, slackLinkListSchema)
  async mine(@CurrentPerson() by: PersonPrincipal): Promise<z.infer<typeof slackLinkListSchema>> {
    return { items: (await this.links.mine(by)).map(slackLinkView) };
  }
}
