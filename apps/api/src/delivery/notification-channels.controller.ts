import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { notificationChannelListSchema } from '#lib/api-schemas';
import { ChannelRegistry } from '#lib/delivery';
import { Answers, RequireScope, Summary } from '../http/index.js';
import { channelView } from './delivery-views.js';

@ApiTags('Notifications')
@Controller('v1/notification-channels')
export class NotificationChannelsController {
  constructor(private readonly channels: ChannelRegistry) {}

  @Summary('The ways in which messages can reach people.')
  @Get()
  @RequireScope('read')
  @Answers(200, notificationChannelListSchema)
  list(): z.infer<typeof notificationChannelListSchema> {
    return { items: this.channels.all.map(channelView) };
  }
}
