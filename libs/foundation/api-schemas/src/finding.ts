import { z } from 'zod';
import { lineSchema, timestampSchema } from '#lib/formats';

/** The kinds of records that a name or a part of an id finds. */
export const FINDING_KINDS = ['person', 'agent', 'tool', 'request', 'run', 'plan', 'task', 'incident'] as const;

export const findQuerySchema = z.strictObject({
  text: lineSchema(200).meta({
    description: 'Words as they begin, names, or a part of an id: its beginning, or that of its last eight characters.',
  }),
  limit: z.coerce.number().int().min(1).max(20).default(5).meta({ description: 'How many of each kind at most.' }),
});

const findingSchema = z
  .object({
    kind: z.enum(FINDING_KINDS),
    id: z.string().meta({ description: 'Of a tool, its name.' }),
    title: z.string().meta({ description: 'A name, or a headline.' }),
    said: z.string().nullable().meta({ description: "The submitter's own words; null if there are none." }),
    state: z.string().nullable(),
    environment: z.object({ name: z.string(), production: z.boolean() }).nullable(),
    at: timestampSchema.meta({ description: 'When it began to be there.' }),
  })
  .meta({ id: 'Finding' });
export type FindingView = z.infer<typeof findingSchema>;

export const findingListSchema = z.object({ items: z.array(findingSchema) }).meta({ id: 'FindingList' });
