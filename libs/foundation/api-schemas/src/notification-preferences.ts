import { z } from 'zod';

const toldOfSchema = z.strictObject({
  requests: z.boolean().meta({ description: 'Requests and changes that wait for the person.' }),
  reminders: z.boolean(),
  comments: z.boolean().default(true).meta({ description: 'Comments that concern the person.' }),
});

export const notificationPreferencesSchema = z
  .record(z.string().regex(/^[a-z]{1,20}$/, 'must be the name of a channel'), toldOfSchema)
  .meta({ id: 'NotificationPreferences', description: 'By channel: email, push.' });
export type NotificationPreferences = z.infer<typeof notificationPreferencesSchema>;
