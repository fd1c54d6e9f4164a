import { z } from 'zod';
import { timestampSchema, uuidSchema } from '#lib/formats';
import { appliedAloneShape } from './change-request.js';

export const embedderSettingsSchema = z
  .strictObject({
    url: z.url().max(2_000).meta({
      description:
        'The https base of an API like that of OpenAI, without credentials, query and fragment. Most end with /v1.',
    }),
    ca: z.string().max(20_000).nullable().default(null).meta({
      description: 'Certificates in PEM that alone vouch for the embedder; null for the public authorities.',
    }),
    model: z
      .string()
      .regex(/^[!-~]{1,200}$/, 'must be printable ASCII without spaces')
      .meta({ description: 'The model, as the server names it.' }),
    dimensions: z.int().min(8).max(4_096).nullable().default(null).meta({
      description: 'The length of a vector to ask for; null for that of the model.',
    }),
  })
  .meta({ id: 'EmbedderSettings' });
export type EmbedderSettingsBody = z.infer<typeof embedderSettingsSchema>;

export const embedderTokenSchema = z
  .strictObject({
    token: z
      .string()
      .regex(/^[!-~]{1,4096}$/, 'must be printable ASCII without spaces')
      .nullable()
      .meta({ description: 'Sent as bearer token, and never shown again; null removes it.' }),
  })
  .meta({ id: 'EmbedderToken' });
export type EmbedderTokenBody = z.infer<typeof embedderTokenSchema>;

export const embedderSchema = z
  .object({
    id: uuidSchema,
    url: z.string(),
    ca: z.string().nullable(),
    model: z.string(),
    dimensions: z.int().nullable(),
    has_token: z.boolean(),
    answered_at: timestampSchema.nullable().meta({ description: 'When it last gave a vector; null for never.' }),
    error: z.string().nullable().meta({ description: 'Why it has given none since then; null if it did.' }),
    error_at: timestampSchema.nullable(),
    created_by: uuidSchema,
    created_at: timestampSchema,
    ...appliedAloneShape,
  })
  .meta({ id: 'Embedder' });
export type EmbedderView = z.infer<typeof embedderSchema>;

export const embedderAtWorkSchema = embedderSchema
  .extend({
    waiting: z.int().meta({ description: 'Goals of precedents that have no vector of this model yet.' }),
    next_try_at: timestampSchema.nullable().meta({
      description: 'When a worker asks it again after a failure; null if it does not fail.',
    }),
  })
  .meta({ id: 'EmbedderAtWork' });
export type EmbedderAtWorkView = z.infer<typeof embedderAtWorkSchema>;

export const embedderTestSchema = z
  .object({
    dimensions: z.int().nullable().meta({ description: 'The length of the vector; null if there was none.' }),
    error: z.string().nullable().meta({ description: 'Why there was none; null if there was one.' }),
  })
  .meta({ id: 'EmbedderTest' });
export type EmbedderTestView = z.infer<typeof embedderTestSchema>;
