import type { DataSource } from 'typeorm';
import { fail } from '#lib/kernel';

import { APP_ROLE } from './prepare-roles.js';

interface RoleFacts {
  readonly role: string;
  readonly superuser: boolean;
  readonly bypasses: boolean;
  readonly owns: string | null;
  readonly may_become: string | null;
  readonly is_app: boolean;
  readonly makes_temporary: boolean;
}

/**
 * Refuses to serve through a login that row-level security does not hold (T21). Such a login is a superuser, has
 * BYPASSRLS, owns a table, or could become such a role by SET ROLE. Refuses one that could make a temporary table, too
 * (ADR 16). A restored database grants it again: a backup does not hold the rights on the database itself.
 *
 * @param setting the environment variable with the login.
 * @throws {FailureError} `database.privileged_role`, `database.temporary_tables`, or `database.not_app_role` if the login is not
 * countersign_app or a member of it.
 */
export async function assertUnprivileged(
  dataSource: DataSource,
  setting: 'DATABASE_URL' | 'COUNTERSIGN_READ_URL' = 'DATABASE_URL',
): Promise<void> {
  const [facts] = await dataSource.query<RoleFacts[]>(roleFacts);
  if (facts === undefined) throw new Error('PostgreSQL did not describe the current role.');
  const trouble = describeTrouble(facts);
  if (trouble !== undefined) {
    fail({
      kind: 'unavailable',
      code: 'database.privileged_role',
      message: `The service connects to the database as ${facts.role}, which ${trouble}: row-level security would not keep tenants apart.`,
      action: `Let ${setting} name ${APP_ROLE}; "countersign migrate" with COUNTERSIGN_MIGRATE_URL creates it.`,
    });
  }
  if (facts.makes_temporary) {
    fail({
      kind: 'unavailable',
      code: 'database.temporary_tables',
      message: `The service connects to the database as ${facts.role}, which may make temporary tables. A temporary table with the name of a table of Countersign would stand before it.`,
      action: `Run "countersign migrate" with the owner of the database in COUNTERSIGN_MIGRATE_URL. Or have that owner revoke TEMPORARY from public and from ${facts.role}.`,
    });
  }
  if (!facts.is_app) {
    fail({
      kind: 'unavailable',
      code: 'database.not_app_role',
      message: `The service connects to the database as ${facts.role}, which is not ${APP_ROLE} nor a member of it.`,
      action: `Let ${setting} name ${APP_ROLE}, or grant that role to ${facts.role}.`,
    });
  }
}

function describeTrouble(facts: RoleFacts): string | undefined {
  if (facts.superuser) return 'is a superuser';
  if (facts.bypasses) return 'has BYPASSRLS';
  if (facts.owns !== null) return `owns ${facts.owns}`;
  if (facts.may_become !== null) return `may become ${facts.may_become}`;
  return undefined;
}

// session_user too: a login that has set a lesser role can set it back.
const roleFacts = `
  select session_user as role,
    bool_or(me.rolsuper) as superuser,
    bool_or(me.rolbypassrls) as bypasses,
    (select format('the table %s.%s', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%'
        and c.relkind in ('r', 'p') and pg_get_userbyid(c.relowner) in (session_user, current_user) limit 1) as owns,
    (select other.rolname from pg_roles other
      where other.rolname not in (session_user, current_user) and pg_has_role(session_user, other.oid, 'member')
        and (other.rolsuper or other.rolbypassrls or other.rolname in ('countersign_owner', 'countersign_system')
          or exists (select from pg_class c where c.relowner = other.oid and c.relkind in ('r', 'p')))
      limit 1) as may_become,
    exists (select from pg_roles app where app.rolname = '${APP_ROLE}' and pg_has_role(current_user, app.oid, 'usage')) as is_app,
    has_database_privilege(session_user, current_database(), 'TEMPORARY') as makes_temporary
  from pg_roles me where me.rolname in (session_user, current_user)`;
