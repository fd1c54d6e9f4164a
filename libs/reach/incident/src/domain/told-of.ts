import type { PersonId } from '#lib/kernel';
import type { Incident } from './incident.js';

/** Who of those that are always told hears of this incident: everybody but the person who broke the glass. */
export const toldOf = <Person extends { readonly id: PersonId }>(
  { invokedBy }: Pick<Incident, 'invokedBy'>,
  people: readonly Person[],
): Person[] => people.filter(({ id }) => id !== invokedBy);
