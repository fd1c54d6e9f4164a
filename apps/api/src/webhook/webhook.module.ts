import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({})
export class WebhookModule {
  static of({ webhook, identity }: Installation): DynamicModule {
    return stageModule(WebhookModule, {
      controllers: [WebhooksController, WebhookDeliveriesController],
      helpers: [GuardedAnswers],
      uses: [
        webhook.readWebhooks,
        webhook.changeEndpoint,
        webhook.removeEndpoint,
        webhook.rotateSecret,
        webhook.sendWebhook,
        identity.readRoles,
      ],
    });
  }
}
