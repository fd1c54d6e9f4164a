import { countingRoles, type PersonRepository } from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import type { People } from '../application/approval.ports.js';
import type { PersonStanding } from '../domain/policy-inputs.js';

/** People as libs/identity keeps them, with the roles that count. */
export class IdentityPeople implements People {
  constructor(private readonly people: Pick<PersonRepository, 'findMany'>) {}

  async standing(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, PersonStanding>> {
    const found = await this.people.findMany(tx, [...new Set(ids)]);
    return new Map(
      found.map((person) => [
        person.id,
        {
          personId: person.id,
          displayName: person.displayName,
          disabled: person.disabledAt !== null,
          roles: countingRoles(person.roles, person.enrolledAt),
        },
      ]),
    );
  }
}
