import { Buffer } from 'node:buffer';
import { parseStrictJson } from '#lib/canonical';
import type { PageQuery } from '#lib/api-schemas';
import { FailureError, isUuid, type PageRequest } from '#lib/kernel';

/** The values of a list's sort key at the last row of a page. */
export type PageKey = readonly (string | number)[];

/** The last moment that JavaScript counts, in epoch milliseconds: no key is a larger number. */
const MAX_NUMBER = 8_640_000_000_000_000;

const refused = (cause?: unknown): FailureError =>
  new FailureError(
    {
      kind: 'unprocessable',
      code: 'request.cursor_invalid',
      message: 'The cursor is not one that this list gave out.',
      action: 'Begin without a cursor, and pass next_cursor back unchanged.',
      errors: [{ pointer: '/cursor', code: 'request.cursor_invalid', message: 'is not a cursor of this list' }],
    },
    { cause },
  );

/**
 * The beginning of a page. A cursor holds sort-key values of a row that its tenant has read. Its query runs in the caller's tenant, so
 * a cursor of another tenant opens nothing.
 *
 * @param list the list's name: a cursor of one list is refused by another.
 */
export function decodeCursor(list: string, cursor: string | undefined): PageKey | null {
  if (cursor === undefined) return null;
  let value: unknown;
  try {
    value = parseStrictJson(Buffer.from(cursor, 'base64url').toString('utf8'), 2);
  } catch (cause) {
    throw refused(cause);
  }
  if (!Array.isArray(value)) throw refused();
  // `Array.isArray` says that its members are any.
  const [name, ...key] = value as unknown[];
  if (name !== list || key.length === 0 || !key.every(isKeyPart)) throw refused();
  return key;
}

/** Whether the database could hold it: a cursor comes from outside, so that anybody may have written it. */
function isKeyPart(part: unknown): part is string | number {
  if (typeof part === 'string') return !part.includes('\0');
  return typeof part === 'number' && Number.isInteger(part) && part >= 0 && part <= MAX_NUMBER;
}

/** The cursor of the page that begins after the row with this key. */
export const encodeCursor = (list: string, key: PageKey): string =>
  Buffer.from(JSON.stringify([list, ...key])).toString('base64url');

/** A page of a list that is sorted by time and id, newest first; one row more than asked for, see {@link toPage}. */
export function pageAfter(list: string, query: PageQuery): PageRequest {
  const key = decodeCursor(list, query.cursor);
  if (key === null) return { limit: query.limit + 1, after: null };
  const [at, id] = key;
  if (typeof at !== 'number' || typeof id !== 'string' || !isUuid(id)) throw refused();
  return { limit: query.limit + 1, after: { at, id } };
}

/**
 * One page of a list, from `limit + 1` rows: the extra one only shows that there is a next page.
 *
 * @param keyOf the sort-key values of a row, in the order the query compares them.
 */
export function toPage<Row, View>(
  list: string,
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => PageKey,
  view: (row: Row) => View,
): { items: View[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(view),
    next_cursor: last === undefined ? null : encodeCursor(list, keyOf(last)),
  };
}
