import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { notificationPreferencesSchema, type NotificationPreferences } from '#lib/contracts';
import type { PersonPrincipal } from '#lib/kernel';
import { SetNotificationPreferences } from '#lib/notify';
import { Answers, CurrentPerson, RequirePerson, RequireScope, Summary } from '../http/index.js';

@ApiTags('Notifications')
@Controller('v1/notification-preferences')
export class NotificationPreferencesController {
  constructor(private readonly preferences: SetNotificationPreferences) {}

  @Summary('The kinds of messages that the caller gets by e-mail and in their browsers; all of them by default.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, notificationPreferencesSchema)
  mine(@CurrentPerson() by: PersonPrincipal): Promise<NotificationPreferences> {
    return this.preferences.mine(by);
  }

  @Summary('Sets it.')
  @Put()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, notificationPreferencesSchema)
  set(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: notificationPreferencesSchema }) wanted: NotificationPreferences,
  ): Promise<NotificationPreferences> {
    return this.preferences.execute(by, wanted);
  }
}
