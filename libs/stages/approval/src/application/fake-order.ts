type Key = readonly (number | string)[];

/** The order of keys, their first difference deciding. */
export function compareKeys(one: Key, other: Key): number {
  for (const [index, mine] of one.entries()) {
    const theirs = other[index] ?? '';
    if (mine !== theirs) return mine < theirs ? -1 : 1;
  }
  return 0;
}
