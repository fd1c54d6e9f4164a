import { z } from 'zod';

/** A lower-case UUID, as every id on the wire is written. */
export const uuidSchema = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, 'must be a UUID in lower case')
  .meta({ description: 'A UUID in lower case.', examples: ['0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a'] });

/** A name that stands in ids, messages and file names: lower-case, digits, `_` and `-`. */
export const slugSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(
    /^[a-z][a-z0-9_-]*$/,
    'must start with a lower-case letter and hold only lower-case letters, digits, "_" and "-"',
  );

/** A moment on the wire: ISO 8601, UTC, milliseconds. */
export const timestampSchema = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601, UTC.' });

/** Epoch milliseconds, as the domain counts, to the wire's spelling. */
export const toTimestamp = (epochMs: number): string => new Date(epochMs).toISOString();

/** The same for a moment that may not have come yet. */
export const toTimestampOrNull = (epochMs: number | null): string | null =>
  epochMs === null ? null : toTimestamp(epochMs);

/** A moment to the minute, as people read it where their time zone is not known: `2026-11-25 08:38 UTC`. */
export const toMinute = (epochMs: number): string => `${toTimestamp(epochMs).slice(0, 16).replace('T', ' ')} UTC`;

/** A wire moment to epoch milliseconds. */
export const fromTimestamp = (text: string): number => Date.parse(text);

/** What is forbidden in a line of text that people read: control and bidirectional-formatting characters. */
// eslint-disable-next-line no-control-regex -- exactly these are refused
const unreadable = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** One line of text that people read, of at most `max` UTF-16 code units. */
export const lineSchema = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max)
    .refine((text) => !unreadable.test(text) && text.isWellFormed(), {
      error: 'must not hold control, zero-width or bidirectional-formatting characters',
    });

/** How a list is asked for; `cursor` is the `next_cursor` of the page before. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50).meta({ description: 'How many items at most.' }),
  cursor: z.string().min(1).max(500).optional().meta({ description: 'The next_cursor of the page before.' }),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;

/** One page of a list; `next_cursor` is null on the last. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

/** Who did something, as audit entries and answers name them. */
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

/** Who handed something in, and for whom; `on_behalf_of` comes from a delegation that the person issued. */
export const submitterSchema = z
  .object({ kind: z.enum(['agent', 'person']), id: uuidSchema, on_behalf_of: uuidSchema.nullable() })
  .meta({ id: 'Submitter' });
export type SubmitterView = z.infer<typeof submitterSchema>;

/** Of a passkey, as people read it to each other. */
export const fingerprintSchema = z
  .string()
  .regex(/^(\d{5} ){5}\d{5}$/, 'must be six groups of five digits')
  .meta({ description: 'Thirty digits over the line of an approver key, to compare by voice.' });
