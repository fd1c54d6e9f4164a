import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { SlackSettingsController } from './slack-settings.controller.js';
import { SlackController } from './slack.controller.js';

@Module({})
export class SlackModule {
  static of({ identity, changes, notify }: Installation): DynamicModule {
    return stageModule(SlackModule, {
      controllers: [SlackController, SlackSettingsController],
      helpers: [GuardedAnswers],
      uses: [
        identity.readRoles,
        changes.readChanges,
        notify.receiveInteraction,
        notify.linkSlackUser,
        notify.receiveEvent,
        notify.answerCommand,
        notify.putSlackApp,
        notify.routeSlack,
        notify.slackSetUp,
        notify.testSlack,
      ],
    });
  }
}
