import { z } from 'zod';
import { timestampSchema, uuidSchema, WEBHOOK_SUBSCRIPTIONS } from '#lib/formats';
import { appliedAloneShape } from './change-request.js';
import { pageOf, pageQuerySchema } from './shared-schemas.js';
import { serverSettingsShape } from './connection.js';

const settingsShape = {
  ...serverSettingsShape('the receiver'),
  description: z.string().max(500).default(''),
  events: z
    .array(z.enum(WEBHOOK_SUBSCRIPTIONS))
    .min(1)
    .refine((events) => new Set(events).size === events.length, { error: 'must name each once' })
    .meta({ description: 'Events of tools, and groups of events.' }),
  enabled: z.boolean().default(true),
};

export const webhookSettingsSchema = z.strictObject(settingsShape).meta({ id: 'WebhookSettings' });
export type WebhookSettingsBody = z.infer<typeof webhookSettingsSchema>;

export const webhookSchema = z
  .object({
    id: uuidSchema,
    url: z.string(),
    description: z.string(),
    events: z.array(z.enum(WEBHOOK_SUBSCRIPTIONS)),
    ca: z.string().nullable(),
    enabled: z.boolean(),
    off_reason: z
      .enum(['person', 'gone', 'failing'])
      .nullable()
      .meta({ description: 'A person switched it off, it answered 410, or it failed for three days.' }),
    failing_since: timestampSchema.nullable(),
    created_by: uuidSchema,
    created_at: timestampSchema,
    etag: z.string().meta({ description: 'The ETag of its settings, for the If-Match of a change.' }),
    ...appliedAloneShape,
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.infer<typeof webhookSchema>;

export const webhookDetailSchema = webhookSchema
  .extend({
    secrets: z
      .array(z.object({ made_at: timestampSchema, until: timestampSchema.nullable() }))
      .meta({ description: 'The secrets that sign now, newest first; their values are shown once.' }),
  })
  .meta({ id: 'WebhookDetail' });
export type WebhookDetailView = z.infer<typeof webhookDetailSchema>;

export const webhookListSchema = z.object({ items: z.array(webhookDetailSchema) }).meta({ id: 'WebhookList' });

export const webhookSecretSchema = z
  .object({
    secret: z.string().meta({ description: 'In the form of Standard Webhooks: whsec_ and base64.' }),
    earlier_until: timestampSchema.meta({ description: 'Until when earlier secrets sign beside it.' }),
  })
  .meta({ id: 'WebhookSecret' });
export type WebhookSecretView = z.infer<typeof webhookSecretSchema>;

export const rotateSecretQuerySchema = z.object({
  end_earlier: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .meta({ description: 'true for a secret that leaked: no earlier one signs any more.' }),
});
export type RotateSecretQuery = z.infer<typeof rotateSecretQuerySchema>;

const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

export const loggedDeliverySchema = z
  .object({
    id: uuidSchema.meta({ description: 'The webhook-id of every attempt.' }),
    event: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int(),
    tries: z.array(
      z.object({
        at: timestampSchema,
        status: z.int().nullable(),
        error: z.string().nullable(),
        answer: z.string().nullable(),
      }),
    ),
    created_at: timestampSchema,
    next_attempt_at: timestampSchema.nullable(),
  })
  .meta({ id: 'LoggedWebhookDelivery' });
export type LoggedDeliveryView = z.infer<typeof loggedDeliverySchema>;

export const webhookDeliverySchema = loggedDeliverySchema
  .extend({ body: z.string().meta({ description: 'As it is sent, masked.' }) })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDeliveryView = z.infer<typeof webhookDeliverySchema>;

export const webhookDeliveryListSchema = pageOf(loggedDeliverySchema).meta({ id: 'WebhookDeliveryList' });

export const webhookDeliveryQuerySchema = pageQuerySchema.extend({
  state: z.enum(DELIVERY_STATES).optional(),
  event: z.string().min(1).max(100).optional(),
});
export type WebhookDeliveryQuery = z.infer<typeof webhookDeliveryQuerySchema>;
