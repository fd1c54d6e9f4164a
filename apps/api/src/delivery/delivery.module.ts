import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { NotificationChannelsController } from './notification-channels.controller.js';
import { NotificationPreferencesController } from './notification-preferences.controller.js';
import { OutboxController } from './outbox.controller.js';
import { PushSubscriptionsController } from './push-subscriptions.controller.js';

@Module({})
export class DeliveryModule {
  static of({ delivery }: Installation): DynamicModule {
    return stageModule(DeliveryModule, {
      controllers: [
        OutboxController,
        PushSubscriptionsController,
        NotificationChannelsController,
        NotificationPreferencesController,
      ],
      uses: [delivery.channels, delivery.resendOutbox, delivery.setNotificationPreferences, delivery.subscribePush],
    });
  }
}
