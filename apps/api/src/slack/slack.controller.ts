import { Body, Controller, Get, Headers, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  slackCallbackQuerySchema,
  slackCommandAnswerSchema,
  slackEventAnswerSchema,
  slackFormSchema,
} from '#lib/api-schemas';
import { AnswerCommand, ReceiveEvent, ReceiveInteraction, SlackSetUp, type CommandAnswer } from '#lib/slack';
import { Answers, AnswersNothing, ProblemsOn, Redirects, PublicExchange, Summary, unwrap } from '../http/index.js';

/** The routes that Slack calls. Slack signs the bytes of each request. */
@ApiTags('Slack')
@Controller('slack')
export class SlackController {
  constructor(
    private readonly receiving: ReceiveInteraction,
    private readonly happening: ReceiveEvent,
    private readonly commands: AnswerCommand,
    private readonly setUp: SlackSetUp,
  ) {}

  @Summary('Takes the action of a person in Slack. It is acknowledged at once, and carried out afterwards.')
  @Post('interactions')
  @PublicExchange()
  @AnswersNothing('Taken. Slack asks for the status 200.', 200)
  async interactions(
    @Body({ schema: slackFormSchema }) body: string,
    @Headers('x-slack-request-timestamp') timestamp: string | undefined,
    @Headers('x-slack-signature') signature: string | undefined,
  ): Promise<void> {
    unwrap(await this.receiving.execute(body, { timestamp, signature }));
  }

  @Summary('Takes events of Slack: a reply in the thread of a request is a comment on it. Gives a challenge back.')
  @Post('events')
  @PublicExchange()
  @Answers(200, slackEventAnswerSchema)
  async events(
    @Body({ schema: slackFormSchema }) body: string,
    @Headers('x-slack-request-timestamp') timestamp: string | undefined,
    @Headers('x-slack-signature') signature: string | undefined,
  ): Promise<z.infer<typeof slackEventAnswerSchema>> {
    const challenge = unwrap(await this.happening.execute(body, { timestamp, signature }));
    return challenge === null ? {} : { challenge };
  }

  @Summary('Answers the command /countersign.')
  @Post('commands')
  @PublicExchange()
  @Answers(200, slackCommandAnswerSchema)
  async command(
    @Body({ schema: slackFormSchema }) body: string,
    @Headers('x-slack-request-timestamp') timestamp: string | undefined,
    @Headers('x-slack-signature') signature: string | undefined,
  ): Promise<CommandAnswer> {
    return unwrap(await this.commands.execute(body, { timestamp, signature }));
  }

  @Summary('Slack sends the admin’s browser back here, with a code that is good once, or with an error.')
  @Get('oauth/callback')
  @PublicExchange()
  @ProblemsOn('/settings/slack')
  @Redirects(303, 'On to the settings, with the reason if nothing was installed, or to the change request.')
  async callback(
    @Query({ schema: slackCallbackQuerySchema }) { state, ...answer }: z.infer<typeof slackCallbackQuerySchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const { nextUrl } = unwrap(await this.setUp.finish(state, answer));
    void reply.status(303).header('location', nextUrl);
  }
}
