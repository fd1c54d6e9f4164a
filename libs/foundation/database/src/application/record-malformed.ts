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

/** The record; null if it cannot be read, so that one malformed row does not keep a halt from the others. */
export async function unlessMalformed<T>(read: Promise<T | null>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === MALFORMED) return null;
    throw error;
  }
}
