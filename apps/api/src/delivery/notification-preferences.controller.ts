import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { notificationPreferencesSchema, type NotificationPreferences } from '#lib/api-schemas';
import type { PersonPrincipal } from '#lib/kernel';
import { SetNotificationPreferences } from '#lib/delivery';
import { Answers, CurrentPerson, RequirePerson, RequireScope, Summary, unwrap } from '../http/index.js';

@ApiTags('Notifications')
@Controller('v1/notification-preferences')
export class NotificationPreferencesController {
  constructor(private readonly preferences: SetNotificationPreferences) {}

  @Summary('The kinds of messages that the caller gets on each channel of their own; all of them by default.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, notificationPreferencesSchema)
  mine(@CurrentPerson() by: PersonPrincipal): Promise<NotificationPreferences> {
    return this.preferences.mine(by);
  }

  @Summary('Sets the channels that are named; the others stay as they are.')
  @Put()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, notificationPreferencesSchema)
  async set(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: notificationPreferencesSchema }) wanted: NotificationPreferences,
  ): Promise<NotificationPreferences> {
    return unwrap(await this.preferences.execute(by, wanted));
  }
}
