import { ANY_ROLE } from '#lib/formats';
import { sqlOf } from '#lib/database';
import {
  countingRoles,
  shownName,
  roleAssignmentEntity,
  personEntity,
  type Caller,
  type KnownBy,
  type PersonRepository,
  type Seats,
} from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import type { AbsenceRepository, People } from '../application/approval.ports.js';
import type { Delegation } from '../domain/delegation.js';
import { delegationsIn } from '../domain/reviewers-now.js';
import type { PersonStanding } from '../domain/policy-inputs.js';
import { absenceEntity } from './approval.entity.js';

const ROLE_ASSIGNMENT = roleAssignmentEntity.as('role_assignment');
const HOLDER = roleAssignmentEntity.as('holder');
const PERSON = personEntity.as('person');
const ABSENCE = absenceEntity.as('absence');

/** People as libs/people/identity keeps them, with the roles that count. */
export class SqlPeople implements People {
  constructor(
    private readonly people: Pick<PersonRepository, 'findMany'>,
    private readonly seats: Pick<Seats, 'waysIn'>,
    private readonly absences: Pick<AbsenceRepository, 'handedTo'>,
  ) {}

  async standing(tx: Tx, ids: readonly PersonId[], caller?: Caller): Promise<ReadonlyMap<PersonId, PersonStanding>> {
    const found = ids.length === 0 ? [] : await this.people.findMany(tx, [...new Set(ids)], caller);
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

  async reviewing(tx: Tx, roles: readonly string[], most: number): Promise<readonly PersonId[]> {
    if (roles.length === 0) return [];
    const rows = await sqlOf(tx).query<{ id: PersonId }>(
      `with holder as (
         select distinct ${ROLE_ASSIGNMENT.personId} from role_assignment
          where tenant_id = $1 and ${ROLE_ASSIGNMENT.revokedAt} is null and ($3 or ${ROLE_ASSIGNMENT.role} = any ($2::text[])))
       select ${PERSON.id} from person
        where person.tenant_id = $1 and ${PERSON.disabledAt} is null and (${PERSON.id} in (select ${HOLDER.personId} from holder)
          or ${PERSON.id} in (select ${ABSENCE.delegateId} from absence
               where tenant_id = $1 and ${ABSENCE.endedAt} is null and ${ABSENCE.fromAt} <= $5 and ${ABSENCE.untilAt} > $5
                 and ${ABSENCE.personId} in (select ${HOLDER.personId} from holder)))
        order by ${PERSON.id} limit $4`,
      [tx.tenantId, roles, roles.includes(ANY_ROLE), most, new Date(await tx.now())],
    );
    return rows.map(({ id }) => id);
  }

  waysIn(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly KnownBy[]>> {
    return this.seats.waysIn(tx, ids);
  }

  async delegations(tx: Tx, delegates: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly Delegation[]>> {
    const absences = delegates.length === 0 ? [] : await this.absences.handedTo(tx, delegates);
    if (absences.length === 0) return new Map();
    const delegators = await this.standing(
      tx,
      absences.map(({ personId }) => personId),
    );
    return delegationsIn(absences, delegators);
  }
}
