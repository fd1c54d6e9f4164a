import type { PageQuery } from '#lib/api-schemas';
import { isUuid } from '#lib/kernel';
import { decodeCursor } from '../http/index.js';

/** A page of a list that is sorted by id; one row more than asked for, which shows whether there is a next page. */
export function listAfter(list: string, query: PageQuery): { afterId: string | null; limit: number } {
  const [id] = decodeCursor(list, query.cursor) ?? [null];
  return { afterId: typeof id === 'string' && isUuid(id) ? id : null, limit: query.limit + 1 };
}
