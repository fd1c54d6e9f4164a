import { PLATFORM_ADMIN } from '#lib/formats';
import { rowsOf, sqlOf } from '#lib/database';
import type { AgentId, PersonId, RowSeals, Tx } from '#lib/kernel';
import type { Caller, ListAfter, PeopleFilter, PersonRepository } from '../application/identity.ports.js';
import type { Person } from '../domain/person.js';
import { agentEntity, credentialEntity, personEntity, roleAssignmentEntity } from './identity.entity.js';
import { authenticRoles, HELD_ROLE, sealedRoleAssignment } from './sealed-role-assignments.js';

const PERSON = personEntity.as('person');
const HELD = roleAssignmentEntity.as('held');
const USED = credentialEntity.as('used');
const CALLER = personEntity.as('caller');
const PERSON_COLUMN = personEntity.column;
const ROLE_COLUMN = roleAssignmentEntity.column;
const NEW_PERSON = personEntity.pick('id', 'email', 'displayName', 'createdAt');
const AGENT = agentEntity.as('agent');
const ROLE_ASSIGNMENT = roleAssignmentEntity.as('role_assignment');

const facts = personEntity.pick('id', 'email', 'displayName', 'createdAt', 'disabledAt', 'enrolledAt');
const HOLDER = roleAssignmentEntity.pick('personId');

interface More {
  readonly came_in_at: Date | null;
  readonly name_note: string | null;
  readonly roles: unknown;
}

const columns = `${facts.columns('person')},
  greatest(${PERSON.signedInAt}, ${PERSON.passkeySignedInAt}, ${PERSON.operatorSignedInAt}) as came_in_at,
  countersign_name_note(person.tenant_id, ${PERSON.id}, 'person', ${PERSON.displayName}, ${PERSON.formerName},
    ${PERSON.renamedAt}) as name_note,
  (select coalesce(jsonb_agg(${HELD_ROLE.document('held')} order by ${HELD.role}), '[]')
     from role_assignment held
    where held.tenant_id = person.tenant_id and ${HELD.personId} = ${PERSON.id} and ${HELD.revokedAt} is null) as roles`;

/**
 * $3 is the caller, $4 their credential. A revocation waits for the transaction, or is seen. The person is locked first, as by those
 * who revoke all credentials of a person.
 */
const credentialGood = `exists (
  select from credential used
   where used.tenant_id = $1 and ${USED.id} = $4 and ${USED.revokedAt} is null and ${USED.expiresAt} > clock_timestamp()
     and exists (select from person caller where caller.tenant_id = $1 and ${CALLER.id} = $3 for key share)
     for share)`;

/** People in PostgreSQL. A role that Countersign did not assign is reported, and counts for nothing. */
export class SqlPersonRepository implements PersonRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, person: Pick<Person, 'id' | 'email' | 'displayName'>): Promise<boolean> {
    const inserted = await sqlOf(tx).execute(
      `insert into ${NEW_PERSON.into} values ($1, $2, $3, $4, clock_timestamp())
       on conflict (tenant_id, lower(${PERSON_COLUMN.email})) do nothing`,
      [tx.tenantId, person.id, person.email, person.displayName],
    );
    return inserted === 1;
  }

  async find(tx: Tx, id: PersonId): Promise<Person | null> {
    const [row] = await sqlOf(tx).query<More>(
      `select ${columns} from person where tenant_id = $1 and ${PERSON.id} = $2`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : this.#person(tx, row);
  }

  async findByEmail(tx: Tx, email: string): Promise<PersonId | null> {
    const [row] = await sqlOf(tx).query<{ id: PersonId }>(
      `select ${PERSON.id} from person where tenant_id = $1 and lower(${PERSON.email}) = lower($2)`,
      [tx.tenantId, email],
    );
    return row?.id ?? null;
  }

  async findMany(tx: Tx, ids: readonly PersonId[], caller?: Caller): Promise<Person[]> {
    const sought = `tenant_id = $1 and ${PERSON.id} = any ($2::uuid[])`;
    const [present, parameters] =
      caller === undefined
        ? [sought, [tx.tenantId, ids]]
        : [
            `${sought} and (${PERSON.id} <> $3 or ${credentialGood})`,
            [tx.tenantId, ids, caller.personId, caller.credentialId],
          ];
    return this.#people(
      tx,
      await sqlOf(tx).query<More>(`select ${columns} from person where ${present} order by ${PERSON.id}`, parameters),
    );
  }

  async lock(tx: Tx, id: PersonId): Promise<Person | null> {
    const locked = await rowsOf(tx, personEntity).findOne({ id }, { only: ['id'], lock: 'update' });
    // Read after the lock, in a statement of its own: the roles may have changed while it was waited for.
    return locked === null ? null : this.find(tx, id);
  }

  async nameTaken(tx: Tx, name: string, id: PersonId | AgentId): Promise<boolean> {
    // Two who ask for one name at once: the second sees the first's.
    await sqlOf(tx).query(
      'select pg_advisory_xact_lock(hashtextextended($1::text || countersign_name_skeleton($2), 156))',
      [tx.tenantId, name],
    );
    const taken = await sqlOf(tx).query(
      `select from person where tenant_id = $1 and ${PERSON.id} <> $3
          and countersign_name_skeleton(${PERSON.displayName}) = countersign_name_skeleton($2)
       union all
       select from agent where tenant_id = $1 and ${AGENT.id} <> $3
          and countersign_name_skeleton(${AGENT.name}) = countersign_name_skeleton($2)
       limit 1`,
      [tx.tenantId, name, id],
    );
    return taken.length > 0;
  }

  async signsInAtIssuer(tx: Tx, id: PersonId): Promise<boolean> {
    const known = await sqlOf(tx).query(
      `select from external_identity known
         join issuer on issuer.tenant_id = known.tenant_id and issuer.id = known.issuer_id and issuer.disabled_at is null
        where known.tenant_id = $1 and known.person_id = $2 limit 1`,
      [tx.tenantId, id],
    );
    return known.length > 0;
  }

  async issuersOnly(tx: Tx): Promise<boolean> {
    const [settings] = await sqlOf(tx).query<{ readonly sign_in_required: boolean }>(
      'select sign_in_required from sign_in_settings where tenant_id = $1',
      [tx.tenantId],
    );
    return settings?.sign_in_required ?? false;
  }

  async list(tx: Tx, page: ListAfter, { withoutIssuer }: PeopleFilter): Promise<Person[]> {
    const rows = await sqlOf(tx).query<More>(
      `select ${columns} from person where tenant_id = $1 and ($2::uuid is null or ${PERSON.id} > $2)
          and (not $4::boolean or ${PERSON.disabledAt} is null and not exists (
            select from external_identity known
              join issuer on issuer.tenant_id = known.tenant_id and issuer.id = known.issuer_id and issuer.disabled_at is null
             where known.tenant_id = person.tenant_id and known.person_id = ${PERSON.id}))
        order by ${PERSON.id} limit $3`,
      [tx.tenantId, page.afterId, page.limit, withoutIssuer],
    );
    return this.#people(tx, rows);
  }

  async save(tx: Tx, person: Pick<Person, 'id' | 'displayName' | 'disabledAt' | 'enrolledAt'>): Promise<void> {
    await sqlOf(tx).execute(
      `update person set ${PERSON_COLUMN.displayName} = $3, ${PERSON_COLUMN.disabledAt} = to_timestamp($4::bigint / 1000.0),
         ${PERSON_COLUMN.enrolledAt} = case when $5::bigint is not null then greatest(${PERSON.createdAt}, to_timestamp($5::bigint / 1000.0)) end
        where tenant_id = $1 and ${PERSON.id} = $2`,
      [tx.tenantId, person.id, person.displayName, person.disabledAt, person.enrolledAt],
    );
  }

  async assignRole(
    tx: Tx,
    {
      at: assignedAt,
      ...assignment
    }: {
      id: string;
      personId: PersonId;
      role: string;
      assignedBy: PersonId | null;
      assignedByIssuer?: string;
      at: number;
    },
  ): Promise<void> {
    const row = { ...assignment, assignedAt, assignedByIssuer: assignment.assignedByIssuer ?? null };
    const seal = await this.seals.seal(sealedRoleAssignment(tx.tenantId, row.personId, row));
    await rowsOf(tx, roleAssignmentEntity).insert({
      ...row,
      revokedAt: null,
      revokedBy: null,
      revokedByIssuer: null,
      seal,
    });
  }

  async revokeRole(
    tx: Tx,
    assignment: { personId: PersonId; role: string; revokedBy: PersonId | { readonly issuerId: string }; at: number },
  ): Promise<boolean> {
    const [person, issuer] =
      typeof assignment.revokedBy === 'string' ? [assignment.revokedBy, null] : [null, assignment.revokedBy.issuerId];
    const revoked = await sqlOf(tx).execute(
      `update role_assignment set ${ROLE_COLUMN.revokedAt} = greatest(${ROLE_ASSIGNMENT.assignedAt}, to_timestamp($4::bigint / 1000.0)),
         ${ROLE_COLUMN.revokedBy} = $5, ${ROLE_COLUMN.revokedByIssuer} = $6
        where tenant_id = $1 and ${ROLE_ASSIGNMENT.personId} = $2 and ${ROLE_ASSIGNMENT.role} = $3
          and ${ROLE_ASSIGNMENT.revokedAt} is null`,
      [tx.tenantId, assignment.personId, assignment.role, assignment.at, person, issuer],
    );
    return revoked === 1;
  }

  async lockAdmins(tx: Tx): Promise<PersonId[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${HOLDER.columns('held')} from role_assignment held join person on person.tenant_id = held.tenant_id
         and ${PERSON.id} = ${HELD.personId}
        where held.tenant_id = $1 and ${HELD.role} = $2 and ${HELD.revokedAt} is null and ${PERSON.disabledAt} is null
        order by ${HELD.personId} for update`,
      [tx.tenantId, PLATFORM_ADMIN],
    );
    // Read after the locks, in a statement of its own. A person's way to come in may have changed during the wait for
    // them.
    const able = await sqlOf(tx).query<{ id: PersonId }>(
      `select ${PERSON.id} from person where tenant_id = $1 and ${PERSON.id} = any ($2::uuid[]) and person_can_come_in(person)
         order by ${PERSON.id}`,
      [tx.tenantId, rows.map((row) => HOLDER.row(row).personId)],
    );
    return able.map(({ id }) => id);
  }

  async #people(tx: Tx, rows: readonly More[]): Promise<Person[]> {
    const people: Person[] = [];
    for (const row of rows) people.push(await this.#person(tx, row));
    return people;
  }

  async #person(tx: Tx, stored: More): Promise<Person> {
    const { came_in_at, name_note: nameNote, roles: kept, ...person } = facts.row(stored);
    const roles = await authenticRoles(this.seals, tx.tenantId, person.id, kept);
    return {
      ...person,
      cameInAt: came_in_at?.getTime() ?? null,
      roles: roles.map(({ role, assignedAt, assignedBy, assignedByIssuer }) => ({
        role,
        assignedAt,
        assignedBy,
        assignedByIssuer,
      })),
      nameNote,
    };
  }
}
