import { Module } from '@nestjs/common';
import { SlackSettingsController } from './slack-settings.controller.js';
import { SlackController } from './slack.controller.js';

@Module({ controllers: [SlackController, SlackSettingsController] })
export class SlackApiModule {}
