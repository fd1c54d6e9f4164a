import { Module } from '@nestjs/common';
import { OutboxController } from './outbox.controller.js';
import { PushSubscriptionsController } from './push-subscriptions.controller.js';

@Module({ controllers: [OutboxController, PushSubscriptionsController] })
export class NotifyApiModule {}
