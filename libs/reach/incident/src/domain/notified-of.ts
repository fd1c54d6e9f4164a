import type { PersonId } from '#lib/kernel';
import type { Incident } from './incident.js';

/** The people who hear of this incident: everybody who hears of all of them, but the invoker. */
export const notifiedOf = <Person extends { readonly id: PersonId }>(
  { invokedBy }: Pick<Incident, 'invokedBy'>,
  people: readonly Person[],
): Person[] => people.filter(({ id }) => id !== invokedBy);
