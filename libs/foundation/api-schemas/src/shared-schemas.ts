import { z } from 'zod';
import { uuidSchema } from '#lib/formats';

/** How a list is asked for; `cursor` is the `next_cursor` of the page before. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50).meta({ description: 'How many items at most.' }),
  cursor: z.string().min(1).max(500).optional().meta({ description: 'The next_cursor of the page before.' }),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** One page of a list; `next_cursor` is null on the last. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

/** A thing by its kind and its id among things of that kind. */
export const subjectRefSchema = z.object({ type: z.string(), id: z.string() }).meta({ id: 'SubjectRef' });

export const actorSchema = z
  .object({
    kind: z.enum(['person', 'agent', 'system']),
    id: z.string(),
    display_name: z.string(),
    credential_id: z.string().nullable(),
    on_behalf_of: z.string().nullable(),
  })
  .meta({ id: 'Actor' });

/** The submitter, and the person they act for: `on_behalf_of` comes from a delegation that the person issued. */
export const submitterSchema = z
  .object({ kind: z.enum(['agent', 'person']), id: uuidSchema, on_behalf_of: uuidSchema.nullable() })
  .meta({ id: 'Submitter' });
export type SubmitterView = z.infer<typeof submitterSchema>;

/** Of a passkey, as people read it to each other. */
export const fingerprintSchema = z
  .string()
  .regex(/^(\d{5} ){5}\d{5}$/, 'must be six groups of five digits')
  .meta({ description: 'Thirty digits over the line of an approver key, to compare by voice.' });
