import { Any, IsNull, Not } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import {
  countingRoles,
  enrolmentEntity,
  roleAssignmentEntity,
  sealedEnrolment,
  sealedRoleAssignment,
  shownName,
  personEntity,
  type PersonRepository,
} from '#lib/identity';
import type { PersonId, RowSeals, Tx } from '#lib/kernel';
import { externalIdentityEntity } from '#lib/sign-in';
import type { ConfirmerDirectory, NamedConfirmer } from '../application/change-request.ports.js';
import type { PossibleConfirmer } from '../domain/count-confirmers.js';
import type { Confirmer } from '../domain/decide-confirm.js';

const PERSON = personEntity.as('person');
const KNOWN = externalIdentityEntity.as('known');
const HELD = roleAssignmentEntity.as('held');

/** A person who enrolled once, or came in from an issuer. Other people cannot sign in, so they cannot confirm. */
const CAN_SIGN_IN = `(${PERSON.enrolledAt} is not null or exists (
  select from external_identity known where known.tenant_id = person.tenant_id and ${KNOWN.personId} = ${PERSON.id}))`;

const HELD_ROW = roleAssignmentEntity.pick('id', 'personId', 'assignedAt', 'assignedBy', 'assignedByIssuer', 'seal');

/**
 * People and their roles in PostgreSQL, as possible second persons. A role or an enrolment that Countersign did not write is
 * reported, and counts for nothing.
 */
export class SqlConfirmerDirectory implements ConfirmerDirectory {
  constructor(
    private readonly people: PersonRepository,
    private readonly seals: RowSeals,
  ) {}

  async lockPossible(tx: Tx, role: string, since: number): Promise<readonly Omit<PossibleConfirmer, 'sharedWith'>[]> {
    const sql = sqlOf(tx);
    // No assignment, revocation or disabling until the transaction ends. A second statement reads them after the wait.
    await sql.query(
      `select ${HELD.id} from role_assignment held join person on person.tenant_id = held.tenant_id and ${PERSON.id} = ${HELD.personId}
       where held.tenant_id = $1 and ${HELD.role} = $2 and ${HELD.revokedAt} is null and ${PERSON.disabledAt} is null
       order by ${HELD.personId} for share`,
      [tx.tenantId, role],
    );
    const rows = await sql.query<{ readonly leftAt: Date | null }>(
      `select ${HELD_ROW.columns('held')}, least(${HELD.revokedAt}, ${PERSON.disabledAt}) as "leftAt"
       from role_assignment held
       join person on person.tenant_id = held.tenant_id and ${PERSON.id} = ${HELD.personId}
       where held.tenant_id = $1 and ${HELD.role} = $2 and ${CAN_SIGN_IN}
         and (least(${HELD.revokedAt}, ${PERSON.disabledAt}) is null or least(${HELD.revokedAt}, ${PERSON.disabledAt}) > $3)
       order by ${HELD.personId}, "leftAt"`,
      [tx.tenantId, role, new Date(since)],
    );
    // The last end of a person's assignments is the one that counts, and none if they hold the role.
    const standing = new Map<PersonId, number | null>();
    for (const { leftAt, personId, seal, ...row } of rows.map((stored) => HELD_ROW.row(stored))) {
      const assignment = sealedRoleAssignment(tx.tenantId, personId, { ...row, role });
      if (await this.seals.holds(assignment, seal)) standing.set(personId, leftAt?.getTime() ?? null);
    }
    return [...standing].map(([personId, leftAt]) => ({ personId, leftAt }));
  }

  async lockConfirmer(tx: Tx, personId: PersonId): Promise<NamedConfirmer | null> {
    const person = await this.people.lock(tx, personId);
    // Absent, or disabled.
    if (person?.disabledAt !== null) return null;
    const again = await this.#reenrolled(tx, [personId]);
    return {
      personId,
      displayName: shownName(person),
      roles: countingRoles(person.roles, person.enrolledAt),
      reenrolled: again.get(personId) ?? null,
    };
  }

  async holders(tx: Tx, role: string): Promise<readonly NamedConfirmer[]> {
    const rows = await sqlOf(tx).query<{ readonly id: PersonId }>(
      `select ${PERSON.id} from role_assignment held
       join person on person.tenant_id = held.tenant_id and ${PERSON.id} = ${HELD.personId}
       where held.tenant_id = $1 and ${HELD.role} = $2 and ${HELD.revokedAt} is null and ${PERSON.disabledAt} is null and ${CAN_SIGN_IN}
       order by ${PERSON.displayName} limit 100`,
      [tx.tenantId, role],
    );
    const people = await this.people.findMany(
      tx,
      rows.map(({ id }) => id),
    );
    const again = await this.#reenrolled(
      tx,
      rows.map(({ id }) => id),
    );
    const holders = people.map((person) => ({
      personId: person.id,
      displayName: shownName(person),
      roles: countingRoles(person.roles, person.enrolledAt),
      reenrolled: again.get(person.id) ?? null,
    }));
    return holders.filter(({ roles }) => roles.some((held) => held.role === role));
  }

  /** The last enrolment of each person who used more than one. */
  async #reenrolled(
    tx: Tx,
    ids: readonly PersonId[],
  ): Promise<ReadonlyMap<PersonId, NonNullable<Confirmer['reenrolled']>>> {
    const rows = await rowsOf(tx, enrolmentEntity).find(
      { personId: Any(ids), usedAt: Not(IsNull()) },
      {
        only: ['id', 'personId', 'channel', 'createdBy', 'usedAt', 'seal'],
        order: { personId: 'asc', usedAt: 'asc' },
      },
    );
    const first = new Set<PersonId>();
    const last = new Map<PersonId, NonNullable<Confirmer['reenrolled']>>();
    for (const { personId, createdBy: by, usedAt: at, seal, ...row } of rows) {
      const enrolment = sealedEnrolment(tx.tenantId, { ...row, personId, createdBy: by });
      if (at === null || !(await this.seals.holds(enrolment, seal))) continue;
      if (first.has(personId)) last.set(personId, { by, at });
      first.add(personId);
    }
    return last;
  }
}
