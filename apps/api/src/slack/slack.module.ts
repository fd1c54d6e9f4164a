import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { SlackSettingsController } from './slack-settings.controller.js';
import { SlackController } from './slack.controller.js';

@Module({})
export class SlackModule {
  static of({ identity, slack }: Installation): DynamicModule {
    return stageModule(SlackModule, {
      controllers: [SlackController, SlackSettingsController],
      helpers: [GuardedAnswers],
      uses: [
        identity.readRoles,
        slack.receiveInteraction,
        slack.linkSlackUser,
        slack.receiveEvent,
        slack.answerCommand,
        slack.putSlackApp,
        slack.routeSlack,
        slack.slackSetUp,
        slack.testSlack,
      ],
    });
  }
}
