import { z } from 'zod';

const toldOfSchema = z.strictObject({
  requests: z.boolean().meta({ description: 'Requests and changes that wait for the person.' }),
  reminders: z.boolean(),
  comments: z.boolean().default(true).meta({ description: 'Comments that concern the person.' }),
});

export const notificationPreferencesSchema = z
  .strictObject({ email: toldOfSchema, push: toldOfSchema })
  .meta({ id: 'NotificationPreferences' });
export type NotificationPreferences = z.infer<typeof notificationPreferencesSchema>;
