import type { SubjectRef } from '#lib/kernel';

/** The things that a query names, each by its kind. */
export const thingsOf = (named: Readonly<Record<string, string | undefined>>): readonly SubjectRef[] =>
  Object.entries(named).flatMap(([type, id]) => (id === undefined ? [] : [{ type, id }]));
