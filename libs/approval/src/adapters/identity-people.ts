import {
  countingRoles,
  PostgresSeats,
  shownName,
  type KnownBy,
  type PersonRepository,
  type Seats,
} from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import type { AbsenceRepository, People } from '../application/approval.ports.js';
import type { Loan } from '../domain/loan.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import { SqlAbsences } from './sql-absences.js';

/** People as libs/identity keeps them, with the roles that count. */
export class IdentityPeople implements People {
  constructor(
    private readonly people: Pick<PersonRepository, 'findMany'>,
    private readonly absences: Pick<AbsenceRepository, 'handedTo'> = new SqlAbsences(),
    private readonly seats: Pick<Seats, 'waysIn'> = new PostgresSeats(),
  ) {}

  async standing(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, PersonStanding>> {
    const found = await this.people.findMany(tx, [...new Set(ids)]);
    return new Map(
      found.map((person) => [
        person.id,
        {
          personId: person.id,
          displayName: shownName(person),
          nameForAgents: shownName(person, true),
          disabled: person.disabledAt !== null,
          joinedAt: Math.max(person.createdAt, person.enrolledAt ?? 0),
          roles: countingRoles(person.roles, person.enrolledAt),
        },
      ]),
    );
  }

  waysIn(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly KnownBy[]>> {
    return this.seats.waysIn(tx, ids);
  }

  async loans(tx: Tx, delegates: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly Loan[]>> {
    const absences = delegates.length === 0 ? [] : await this.absences.handedTo(tx, delegates);
    if (absences.length === 0) return new Map();
    const lenders = await this.standing(
      tx,
      absences.map(({ personId }) => personId),
    );
    const loans = new Map<PersonId, Loan[]>();
    for (const absence of absences) {
      const lender = lenders.get(absence.personId);
      if (lender === undefined || lender.disabled) continue;
      const { personId, delegateId, from, until, createdAt: madeAt } = absence;
      const roles = lender.roles.filter(({ role }) => absence.roles.includes(role));
      loans.set(delegateId, [...(loans.get(delegateId) ?? []), { personId, roles, madeAt, from, until }]);
    }
    return loans;
  }
}
