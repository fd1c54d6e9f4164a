import type { PageRequest } from '#lib/kernel';

type Key = readonly (number | string)[];

/** The order of keys, their first difference deciding. */
export function compareKeys(one: Key, other: Key): number {
  for (const [place, mine] of one.entries()) {
    const theirs = other[place] ?? '';
    if (mine !== theirs) return mine < theirs ? -1 : 1;
  }
  return 0;
}

/** A page of rows, newest first, and those of one moment by id. */
export function newestFirst<Row extends { readonly id: string }>(
  rows: readonly Row[],
  at: (row: Row) => number,
  { limit, after }: PageRequest,
): Row[] {
  const keyOf = (row: Row): Key => [at(row), row.id];
  return rows
    .filter((row) => after === null || compareKeys(keyOf(row), [after.at, after.id]) < 0)
    .sort((one, other) => compareKeys(keyOf(other), keyOf(one)))
    .slice(0, limit);
}

/** What the database refuses, with the SQLSTATE that it refuses it by. */
export class FakeRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
