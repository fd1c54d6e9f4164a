import { z } from 'zod';
import { parseStrictJson, type Json, type JsonObject } from '#lib/canonical';
import { type Failure, FailureError } from '#lib/kernel';

const MALFORMED = 'record.malformed';

/** As deep as payloads of audit entries are. Their writers bound every other text. */
const DEEPEST = 256;

interface StoredRow {
  readonly table: string;
  /** Absent if the row as a whole is wrong. */
  readonly column?: string;
  /** Of the row; absent if its reader does not know it. */
  readonly id?: string;
}

/** The database made the value from several rows: by one of its functions, or for a question in words. */
type Answer = ({ readonly function: string } | { readonly question: string }) & {
  /** Of the row that it is about; absent if it is about the whole tenant. */
  readonly id?: string;
};

/** The place of a stored value, by which an operator finds it. */
export type StoredAt = StoredRow | Answer;

/** A stored row has another shape than Countersign writes. */
export class MalformedRecordError extends FailureError {
  /** @param what the mistake, and never a value of the row. */
  constructor(
    private readonly at: StoredAt,
    private readonly what: string,
  ) {
    super(recordMalformed(at, what));
  }

  /** The same with the id of the row, if it had none and `id` is one. */
  inRow(id: unknown): MalformedRecordError {
    return this.at.id !== undefined || typeof id !== 'string'
      ? this
      : new MalformedRecordError({ ...this.at, id }, this.what);
  }
}

const recordMalformed = (at: StoredAt, what: string): Failure => ({
  kind: 'internal',
  code: MALFORMED,
  message: `${inWords(at)} cannot be read. ${what}`,
  action:
    'table' in at
      ? 'Nothing was done with it. Have the operator find out who changed the row, and restore it from a backup.'
      : 'Nothing was done with it. Have the operator find out who changed a function of the database or the rows that it reads. Have both restored.',
  details: { ...at },
});

function inWords(at: StoredAt): string {
  const about = at.id === undefined ? '' : ` of ${at.id}`;
  if ('table' in at) return `A stored record (${at.table}${at.column === undefined ? '' : `.${at.column}`}${about})`;
  return `An answer of the database (${'function' in at ? `function ${at.function}()` : at.question}${about})`;
}

/** Any document: neither the driver nor the parser of texts gives anything but JSON, so nothing is left to check. */
export const anyJson: z.ZodType<Json> = z.custom<Json>();

/** Any document that is an object. */
export const anyJsonObject: z.ZodType<JsonObject> = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** The stored value as its schema reads it. @throws {MalformedRecordError} which names members and no value. */
export function parsedValue<T>(schema: z.ZodType<T>, stored: unknown, at: StoredAt): T {
  const { success, data, error } = schema.safeParse(stored);
  if (success) return data;
  const wrong = error.issues.map(({ path, code }) => `${code} at /${path.join('/')}`).join(', ');
  throw new MalformedRecordError(at, `Its shape is another than Countersign reads: ${wrong}.`);
}

const reading =
  (parse: (text: string) => unknown) =>
  <T>(schema: z.ZodType<T>, text: string, at: StoredAt): T => {
    let value: unknown;
    try {
      value = parse(text);
    } catch {
      // The parser's own error quotes the text.
      throw new MalformedRecordError(at, 'It is no JSON, or no strict one.');
    }
    return parsedValue(schema, value, at);
  };

/** The document in a stored text of canonical JSON. @throws {MalformedRecordError} as {@link parsedValue}. */
export const parsedText = reading((text) => parseStrictJson(text, DEEPEST));

/** The same for a text by `JSON.stringify`. A string that was cut may hold half of a character, which canonical JSON refuses. */
export const parsedPlainText = reading((text) => JSON.parse(text) as unknown);

/** The record; null if it cannot be read, so that one malformed row does not keep a halt from the others. */
export async function unlessMalformed<T>(read: Promise<T | null>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof MalformedRecordError) return null;
    throw error;
  }
}
