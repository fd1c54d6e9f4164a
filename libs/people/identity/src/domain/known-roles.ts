import { closest } from '#lib/words';

/** A role, and the settings that name it. */
export interface KnownRole {
  readonly role: string;
  /** The product's own; named by the autonomy document in force; by an issuer's mapping; held by somebody. */
  readonly by: readonly ('standard' | 'autonomy' | 'issuer' | 'held')[];
}

/** A role that only people hold gives nothing: nothing that decides names it. */
const decides = ({ by }: KnownRole): boolean => by.some((source) => source !== 'held');

/** The reason why a role gives its holder nothing, with the probable intention; null for a role that something names. */
export function unusedRole(role: string, known: readonly KnownRole[]): string | null {
  const names = known.filter(decides).map((one) => one.role);
  if (names.includes(role)) return null;
  const meant = closest(role, names);
  return `No document knows ${role}${meant === undefined ? ': it lets nobody approve anything.' : `; did you mean ${meant}?`}`;
}
