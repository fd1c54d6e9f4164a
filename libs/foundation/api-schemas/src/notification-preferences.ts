import { z } from 'zod';

export const notificationChannelListSchema = z
  .object({
    items: z.array(
      z.object({
        name: z.string().meta({ description: 'As notification preferences and incidents name it.' }),
        title: z.string().meta({ description: 'Its name for people, as it stands in a list.' }),
        addresses: z.string().nullable().meta({
          description: 'An address that settings may name, in words with an example; null if they name none.',
        }),
        missing: z.string().nullable().meta({
          description: 'A part that this installation lacks, without which it sends nothing; null if it can send.',
        }),
      }),
    ),
  })
  .meta({ id: 'NotificationChannelList' });

const channelPreferenceSchema = z.strictObject({
  requests: z.boolean().meta({ description: 'Requests and changes that wait for the person.' }),
  reminders: z.boolean(),
  comments: z.boolean().default(true).meta({ description: 'Comments that concern the person.' }),
});

export const notificationPreferencesSchema = z
  .record(z.string().regex(/^[a-z]{1,20}$/, 'must be the name of a channel'), channelPreferenceSchema)
  .meta({ id: 'NotificationPreferences', description: 'By the name of a channel: see GET /v1/notification-channels.' });
export type NotificationPreferences = z.infer<typeof notificationPreferencesSchema>;
