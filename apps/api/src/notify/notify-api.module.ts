import { Module } from '@nestjs/common';
import { NotificationPreferencesController } from './notification-preferences.controller.js';
import { OutboxController } from './outbox.controller.js';
import { PushSubscriptionsController } from './push-subscriptions.controller.js';

@Module({ controllers: [OutboxController, PushSubscriptionsController, NotificationPreferencesController] })
export class NotifyApiModule {}
