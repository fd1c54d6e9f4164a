import { z } from 'zod';
import { timestampSchema, uuidSchema } from '#lib/formats';

const limitSchema = z.coerce.number().int().min(1).max(20).default(5).meta({ description: 'How many at most.' });

/** Names of tools, argument keys and targets hold no comma. */
const namesSchema = (description: string) =>
  z
    .string()
    .max(8_000)
    .regex(/^[^,]+(,[^,]+){0,499}$/, 'must be names with commas between them')
    .optional()
    .meta({ description: `${description}, with commas between them.` });

export const precedentQuerySchema = z.strictObject({ limit: limitSchema });

export const searchPrecedentsSchema = z.strictObject({
  text: z
    .string()
    .max(2_000)
    .default('')
    .meta({ description: 'Words, ids, hosts or tickets; typing errors are forgiven.' }),
  tools: namesSchema('The tools that would be called'),
  environment: z.string().min(1).max(200).optional().meta({ description: 'The name of the environment.' }),
  argument_keys: namesSchema('The argument keys of the calls'),
  targets: namesSchema('The targets of the calls'),
  limit: limitSchema,
});
export type SearchPrecedentsQuery = z.infer<typeof searchPrecedentsSchema>;

const named = z.object({ id: uuidSchema, display_name: z.string() });
const rankSchema = z.int().nullable();
/** An agent gets no id by which it could read the work of others. */
const hiddenId = uuidSchema.nullable().meta({ description: 'Null for agents, except of their own.' });

const precedentSchema = z
  .object({
    id: hiddenId,
    request_id: hiddenId,
    run_id: hiddenId,
    incident_id: uuidSchema.nullable().meta({
      description: 'The break-glass incident of the run, once it is resolved. Null for agents, except of their own.',
    }),
    subject: z.object({ type: z.enum(['plan', 'tool_call']), id: hiddenId }),
    task_id: hiddenId,
    environment: z.object({ id: uuidSchema, name: z.string() }),
    tools: z.array(z.string()),
    argument_keys: z.array(z.string()),
    targets: z.array(z.string()).meta({
      description: 'The first 200, in order. An agent sees only those of others that its question names.',
    }),
    target_count: z.int(),
    phases: z.enum(['all', 'canary', 'promotion']).nullable(),
    headline: z
      .string()
      .nullable()
      .meta({ description: 'Null for agents, except of their own; null after it was erased.' }),
    goal: z.string().nullable().meta({
      description: 'Null for agents, except in their own words; null after it was erased.',
    }),
    submitted_by: z.string().nullable(),
    approved_by: z.array(named).meta({ description: 'By the names they have now. Empty for agents.' }),
    ended_as: z.string().meta({ description: 'The last state of the run or the call, else of the request.' }),
    ending: z.enum(['good', 'bad', 'refused', 'lapsed']).meta({
      description:
        'bad: it failed, was rolled back, or left an unknown effect, or was cancelled after a change. refused: people rejected it. lapsed: it came to nothing.',
    }),
    unknown_effects: z.int(),
    because: z.string().nullable().meta({ description: 'The reason for its end. Null for agents.' }),
    opened_at: timestampSchema,
    ended_at: timestampSchema,
    erased: z.boolean().meta({ description: 'Whether the retention rule erased its words.' }),
    equal: z.array(z.string()).meta({ description: 'The facts that it has in common with the question.' }),
    different: z.array(z.string()).meta({ description: 'The facts that differ.' }),
    ranks: z.object({ words: rankSchema, structure: rankSchema, near: rankSchema, meaning: rankSchema }).meta({
      description: 'Its rank in each ranking that found it: words, structure, similar ids or spellings, and meaning.',
    }),
  })
  .meta({ id: 'Precedent' });
export type PrecedentView = z.infer<typeof precedentSchema>;

export const precedentListSchema = z
  .object({
    items: z.array(precedentSchema).meta({ description: 'Bad outcomes first, then the best match.' }),
    line: z.string().nullable().meta({
      description:
        'The past of the same tools, environment and argument keys; null if the question leaves any of these open.',
    }),
    searched_by: z.string().meta({
      description:
        'How it was searched: words and structure; with an embedder that answers in time, words, structure and meaning.',
    }),
  })
  .meta({
    id: 'PrecedentList',
    description: 'Earlier requests and runs. History, never authority: nothing is approved by it.',
  });
export type PrecedentListView = z.infer<typeof precedentListSchema>;
