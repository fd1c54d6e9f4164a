import { z } from 'zod';
import { timestampSchema, uuidSchema } from '#lib/formats';
import { appliedAloneShape } from './change-request.js';
import { pageOf, pageQuerySchema } from './shared-schemas.js';

const slackChannelSchema = z.string().regex(/^[CG][A-Z0-9]{1,31}$/, 'must be a channel id, which begins with C or G');

const environmentNameSchema = z.string().max(63);

/** The credentials of a Slack app that was made from the manifest. */
export const slackAppSchema = z
  .strictObject({
    client_id: z.string().regex(/^[0-9A-Za-z.]{1,100}$/, 'must be 1 to 100 letters, digits and dots'),
    client_secret: z.string().min(8).max(200).meta({ writeOnly: true }),
    signing_secret: z.string().min(8).max(200).meta({ writeOnly: true }),
  })
  .meta({ id: 'SlackApp' });

export const slackRoutesSchema = z
  .strictObject({
    channels: z
      .record(environmentNameSchema, slackChannelSchema)
      .meta({ description: 'Which channel hears of which environment; the empty name is for every other.' }),
    on_duty: z
      .array(uuidSchema)
      .max(100)
      .meta({ description: 'People who are told directly instead, if they have linked their Slack account.' }),
  })
  .meta({ id: 'SlackRoutes' });

export const slackSettingsSchema = z
  .object({
    app: z.object({ client_id: z.string() }).nullable(),
    installation: z.object({ team_id: z.string(), team_name: z.string(), installed_at: timestampSchema }).nullable(),
    channels: z.record(z.string(), z.string()),
    on_duty: z.array(uuidSchema),
    bot_scopes: z.array(z.string()).meta({ description: 'The scopes that the bot asks for.' }),
    ...appliedAloneShape,
  })
  .meta({ id: 'SlackSettings' });
export type SlackSettingsView = z.infer<typeof slackSettingsSchema>;

const problemInWords = z.string().nullable().meta({ description: 'The problem, for people; null if there is none.' });

export const slackTestSchema = z
  .object({
    team_name: z
      .string()
      .nullable()
      .meta({ description: 'The workspace in which the bot’s token is good; null if there is none.' }),
    problem: problemInWords,
    channels: z.array(
      z.object({
        environment: z.string().meta({ description: 'Empty for every other one.' }),
        channel: z.string(),
        name: z.string().nullable().meta({ description: 'Null if Slack does not tell it.' }),
        problem: problemInWords,
      }),
    ),
  })
  .meta({ id: 'SlackTest' });
export type SlackTestView = z.infer<typeof slackTestSchema>;

export const slackInstallSchema = z
  .object({ redirect_to: z.url().meta({ description: 'The address for the admin’s browser.' }) })
  .meta({ id: 'SlackInstall' });

export const slackCallbackQuerySchema = z.object({
  state: z.string().max(200).default(''),
  code: z.string().max(500).default(''),
  error: z
    .string()
    .regex(/^[a-z_]{1,64}$/, 'must be 1 to 64 lower-case letters and _')
    .optional(),
});

export const slackLinkCodeSchema = z
  .strictObject({ code: z.string().min(1).max(200).meta({ description: 'From the address that Slack showed.' }) })
  .meta({ id: 'SlackLinkCode' });

export const slackUserSchema = z
  .object({ team_name: z.string(), user_id: z.string(), name: z.string() })
  .meta({ id: 'SlackUser', description: 'The Slack user who would act as you.' });

export const slackLinkSchema = z
  .object({
    id: uuidSchema,
    team_id: z.string(),
    user_id: z.string(),
    credential_id: uuidSchema.meta({ description: 'Revoke it to end the link.' }),
    linked_at: timestampSchema,
  })
  .meta({ id: 'SlackLink' });
export type SlackLinkView = z.infer<typeof slackLinkSchema>;

export const slackLinkListSchema = z.object({ items: z.array(slackLinkSchema) }).meta({ id: 'SlackLinkList' });

/** The body that Slack sends, unchanged: its signature is over these bytes. */
export const slackFormSchema = z.string().max(200_000);

/** An event is taken; the challenge of Slack, which it sends once, is given back. */
export const slackEventAnswerSchema = z.object({ challenge: z.string().optional() }).meta({ id: 'SlackEventAnswer' });

/** An answer that only the sender of the command sees. */
export const slackCommandAnswerSchema = z
  .object({ response_type: z.literal('ephemeral'), text: z.string(), blocks: z.array(z.json()) })
  .meta({ id: 'SlackCommandAnswer' });

const OUTBOX_STATES = ['pending', 'delivered', 'failed'] as const;

export const outboxQuerySchema = pageQuerySchema.extend({ state: z.enum(OUTBOX_STATES).default('failed') });

export const outboxMessageSchema = z
  .object({
    id: uuidSchema,
    topic: z.string(),
    payload: z.record(z.string(), z.string()),
    destination: z
      .string()
      .nullable()
      .meta({ description: 'Channel, address and showing; null for a message that is not fanned out yet.' }),
    state: z.enum(OUTBOX_STATES),
    attempts: z.int(),
    last_error: z.string().nullable(),
    next_attempt_at: timestampSchema.nullable().meta({ description: 'Null unless it is pending.' }),
    created_at: timestampSchema,
    delivered_at: timestampSchema.nullable(),
  })
  .meta({ id: 'OutboxMessage' });
export type OutboxMessageView = z.infer<typeof outboxMessageSchema>;

export const outboxPageSchema = pageOf(outboxMessageSchema).meta({ id: 'OutboxPage' });

const base64url = z.string().regex(/^[A-Za-z0-9_-]+=*$/, 'must be base64url: letters, digits, - and _');

/** As `PushSubscription.toJSON()` of a browser gives it. */
export const pushSubscriptionRequestSchema = z
  .object({
    endpoint: z.url().max(2_000),
    keys: z.object({ p256dh: base64url.length(87), auth: base64url.length(22) }),
  })
  .meta({ id: 'PushSubscriptionRequest' });

export const pushSubscriptionSchema = z
  .object({ id: uuidSchema, host: z.string(), created_at: timestampSchema })
  .meta({ id: 'PushSubscription' });
export type PushSubscriptionView = z.infer<typeof pushSubscriptionSchema>;

export const pushSubscriptionListSchema = z
  .object({ items: z.array(pushSubscriptionSchema) })
  .meta({ id: 'PushSubscriptionList' });

export const pushKeySchema = z
  .object({ public_key: z.string().meta({ description: 'For `applicationServerKey`.' }) })
  .meta({ id: 'PushKey' });
