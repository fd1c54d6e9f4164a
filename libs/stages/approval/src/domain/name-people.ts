import type { Decision } from '#lib/formats';
import type { PersonId, Principal } from '#lib/kernel';
import type { PersonStanding } from './policy-inputs.js';

type Names = ReadonlyMap<PersonId, Pick<PersonStanding, 'displayName'>>;

/**
 * A message of policy, as people read it: with names in place of ids, since policy is told no names. The record keeps the
 * ids, since decisions are never erased and names must be.
 */
export const withNames = (message: string, people: Names): string =>
  [...people].reduce(
    // A function, so that no `$&` in a name is taken for a pattern.
    (text, [id, { displayName }]) => text.replaceAll(id, () => displayName),
    message,
  );

/** The reasons of a decision, each {@link withNames}. */
export const namePeople = ({ reasons }: Pick<Decision, 'reasons'>, people: Names): Decision['reasons'] =>
  reasons.map((reason) => ({ ...reason, message: withNames(reason.message, people) }));

/** Agents are shown no addresses. */
export const namesFor = (
  { kind }: Pick<Principal, 'kind'>,
  people: ReadonlyMap<PersonId, PersonStanding>,
): ReadonlyMap<PersonId, PersonStanding> =>
  kind === 'person'
    ? people
    : new Map([...people].map(([id, one]) => [id, { ...one, displayName: one.nameForAgents }]));
