import type { z } from 'zod';
import { type Failure, FailureError } from '#lib/kernel';

const MALFORMED = 'record.malformed';

/** A stored row has another shape than Countersign writes. @param what never a value of the row. */
export const recordMalformed = (table: string, what: string): Failure => ({
  kind: 'internal',
  code: MALFORMED,
  message: `A stored record (${table}) cannot be read. ${what}`,
  action: 'Nothing was done with it. Have the operator find out who changed the row, and restore it from a backup.',
  details: { table },
});

/** The stored value as its schema reads it. @throws {FailureError} `record.malformed`, which names members and no value. */
export function parsedBy<T>(schema: z.ZodType<T>, stored: unknown, table: string): T {
  const { success, data, error } = schema.safeParse(stored);
  if (success) return data;
  const at = error.issues.map(({ path, code }) => `${code} at /${path.join('/')}`).join(', ');
  throw new FailureError(recordMalformed(table, `Its shape is another than its column stores: ${at}.`));
}

/** The record; null if it cannot be read, so that one malformed row does not keep a halt from the others. */
export async function unlessMalformed<T>(read: Promise<T | null>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === MALFORMED) return null;
    throw error;
  }
}
