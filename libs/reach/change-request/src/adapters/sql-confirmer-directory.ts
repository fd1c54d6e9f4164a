import { sqlOf } from '#lib/database';
import { countingRoles, shownName, type PersonRepository } from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import type { ConfirmerDirectory } from '../application/change-request.ports.js';
import type { PossibleConfirmer } from '../domain/count-confirmers.js';
import type { Confirmer } from '../domain/decide-confirm.js';

/** A person who enrolled once, or came in from an issuer. Other people cannot sign in, so they cannot confirm. */
const CAN_SIGN_IN = `(person.enrolled_at is not null or exists (
  select from external_identity known where known.tenant_id = person.tenant_id and known.person_id = person.id))`;

/** People and their roles in PostgreSQL, as possible second persons. */
export class SqlConfirmerDirectory implements ConfirmerDirectory {
  constructor(private readonly people: PersonRepository) {}

  async lockPossible(tx: Tx, role: string, since: number): Promise<readonly Omit<PossibleConfirmer, 'sharedWith'>[]> {
    const sql = sqlOf(tx);
    // No assignment, revocation or disabling until the transaction ends. A second statement reads them after the wait.
    await sql.query(
      `select held.id from role_assignment held join person on person.tenant_id = held.tenant_id and person.id = held.person_id
       where held.tenant_id = $1 and held.role = $2 and held.revoked_at is null and person.disabled_at is null
       order by held.person_id for share`,
      [tx.tenantId, role],
    );
    const rows = await sql.query<{ readonly person_id: PersonId; readonly left_at: Date | null }>(
      `select standing.person_id, standing.left_at from (
         select held.person_id, case when bool_or(held.revoked_at is null and person.disabled_at is null) then null
             else max(least(held.revoked_at, person.disabled_at)) end as left_at
         from role_assignment held
         join person on person.tenant_id = held.tenant_id and person.id = held.person_id
         where held.tenant_id = $1 and held.role = $2 and ${CAN_SIGN_IN}
         group by held.person_id
       ) standing
       where standing.left_at is null or standing.left_at > $3
       order by standing.person_id`,
      [tx.tenantId, role, new Date(since)],
    );
    return rows.map((row) => ({ personId: row.person_id, leftAt: row.left_at?.getTime() ?? null }));
  }

  async lockConfirmer(tx: Tx, personId: PersonId): Promise<Confirmer | null> {
    const person = await this.people.lock(tx, personId);
    // Absent, or disabled.
    if (person?.disabledAt !== null) return null;
    const again = await this.reenrolled(tx, [personId]);
    return {
      personId,
      roles: countingRoles(person.roles, person.enrolledAt),
      reenrolled: again.get(personId) ?? null,
    };
  }

  async holders(tx: Tx, role: string): Promise<readonly (Confirmer & { readonly displayName: string })[]> {
    const rows = await sqlOf(tx).query<{ readonly id: PersonId }>(
      `select person.id from role_assignment held
       join person on person.tenant_id = held.tenant_id and person.id = held.person_id
       where held.tenant_id = $1 and held.role = $2 and held.revoked_at is null and person.disabled_at is null and ${CAN_SIGN_IN}
       order by person.display_name limit 100`,
      [tx.tenantId, role],
    );
    const people = await this.people.findMany(
      tx,
      rows.map(({ id }) => id),
    );
    const again = await this.reenrolled(
      tx,
      rows.map(({ id }) => id),
    );
    return people.map((person) => ({
      personId: person.id,
      displayName: shownName(person),
      roles: countingRoles(person.roles, person.enrolledAt),
      reenrolled: again.get(person.id) ?? null,
    }));
  }

  /** The last enrolment of each person who used more than one. */
  private async reenrolled(
    tx: Tx,
    ids: readonly PersonId[],
  ): Promise<ReadonlyMap<PersonId, NonNullable<Confirmer['reenrolled']>>> {
    const rows = await sqlOf(tx).query<{
      readonly person_id: PersonId;
      readonly created_by: PersonId | null;
      readonly used_at: Date;
    }>(
      `select distinct on (later.person_id) later.person_id, later.created_by, later.used_at
       from enrolment later
       where later.tenant_id = $1 and later.person_id = any ($2::uuid[]) and later.used_at is not null
         and exists (select from enrolment earlier where earlier.tenant_id = later.tenant_id
           and earlier.person_id = later.person_id and earlier.used_at < later.used_at)
       order by later.person_id, later.used_at desc`,
      [tx.tenantId, ids],
    );
    return new Map(rows.map((row) => [row.person_id, { by: row.created_by, at: row.used_at.getTime() }]));
  }
}
