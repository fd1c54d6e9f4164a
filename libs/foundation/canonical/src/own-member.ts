/**
 * The own member of a record; undefined if there is none. For a name from outside: `constructor` and `__proto__` are names like any
 * other.
 */
export const ownMember = <T>(record: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined =>
  record != null && Object.hasOwn(record, name) ? record[name] : undefined;
