import type { PageRequest } from './page.js';

/** A page of these rows, newest first, as the statements of lists order them: by time, then by id. */
export function fakePage<Row extends { readonly id: string }>(
  rows: Iterable<Row>,
  at: (row: Row) => number,
  { after, limit }: PageRequest,
): readonly Row[] {
  const key = (row: Row): { at: number; id: string } => ({ at: at(row), id: row.id });
  const before = (a: { at: number; id: string }, b: { at: number; id: string }): boolean =>
    a.at < b.at || (a.at === b.at && a.id < b.id);
  return [...rows]
    .filter((row) => after === null || before(key(row), after))
    .sort((a, b) => (before(key(a), key(b)) ? 1 : -1))
    .slice(0, limit);
}
