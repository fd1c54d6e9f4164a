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

/** The characters forbidden in a line of text that people read: controls, formatting characters and separators of lines. */
const unreadable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

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

export const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits');

/** An id in a stored document, read as the branded type of its thing. */
export const storedId = <Id extends string>(): z.ZodType<Id> => uuidSchema.transform((id) => id as Id);
