import { z } from 'zod';
import { timestampSchema } from '#lib/formats';
import { connectionShape, serverSettingsShape } from './connection.js';

const { url, ca } = serverSettingsShape('the embedder');

export const embedderSettingsSchema = z
  .strictObject({
    url: url.meta({
      description:
        'The https base of an API like that of OpenAI, without credentials, query and fragment. Most end with /v1.',
    }),
    ca,
    model: z
      .string()
      .regex(/^[!-~]{1,200}$/, 'must be printable ASCII without spaces')
      .meta({ description: 'The model, as the server names it.' }),
    dimensions: z.int().min(8).max(4_096).nullable().default(null).meta({
      description: 'The length of a vector to ask for; null for that of the model.',
    }),
  })
  .meta({ id: 'EmbedderSettings' });

export const embedderSchema = z
  .object({
    ...connectionShape,
    model: z.string(),
    dimensions: z.int().nullable(),
    answered_at: timestampSchema.nullable().meta({ description: 'When it last gave a vector; null for never.' }),
  })
  .meta({ id: 'Embedder' });
export type EmbedderView = z.infer<typeof embedderSchema>;

export const embedderAtWorkSchema = embedderSchema
  .extend({
    waiting: z.int().meta({
      description: 'Goals of precedents that have no vector of this model yet. 1001 stands for more than 1000.',
    }),
    next_try_at: timestampSchema.nullable().meta({
      description: 'When a worker asks it again after a failure; null if it does not fail.',
    }),
  })
  .meta({ id: 'EmbedderAtWork' });
export type EmbedderAtWorkView = z.infer<typeof embedderAtWorkSchema>;

export const embedderTestSchema = z
  .object({
    dimensions: z.int().nullable().meta({ description: 'The length of the vector; null if there was none.' }),
    error: z.string().nullable().meta({ description: 'The reason why there was none; null if there was one.' }),
  })
  .meta({ id: 'EmbedderTest' });
export type EmbedderTestView = z.infer<typeof embedderTestSchema>;
