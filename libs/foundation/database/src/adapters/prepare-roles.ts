import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';

/** Migrates, owns every table, and never logs in by itself: the migrating login sets this role. */
export const OWNER_ROLE = 'countersign_owner';
/** Serves. Neither owner nor superuser, and held by row-level security. */
export const APP_ROLE = 'countersign_app';
/** Owns the SECURITY DEFINER functions that look across tenants; no login can use it. */
const SYSTEM_ROLE = 'countersign_system';

/**
 * Makes the three roles and their rights on this database; repeating it changes nothing. Roles belong to the whole
 * cluster: an existing one is kept, and refused if it can do more than it may.
 *
 * The login needs CREATEROLE. It also needs the right to grant CREATE on this database and its schema `public` (its
 * owner, or a superuser).
 *
 * @param admin a connection of that login to the database itself.
 * @param appPassword set for countersign_app; without it the password is left as it is.
 */
export async function prepareRoles(admin: Client, appPassword?: string): Promise<void> {
  await createMissing(admin, OWNER_ROLE, 'nologin');
  await createMissing(admin, SYSTEM_ROLE, 'nologin');
  await createMissing(admin, APP_ROLE, 'login');
  const { rows } = await admin.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1) and (rolsuper or rolbypassrls or rolcreaterole)',
    [[OWNER_ROLE, APP_ROLE, SYSTEM_ROLE]],
  );
  const [tooMighty] = rows;
  if (tooMighty !== undefined) {
    throw new Error(
      `The role ${tooMighty.rolname} exists and is a superuser, may create roles or bypasses row-level security. Take that from it (ALTER ROLE) and try again.`,
    );
  }
  if (appPassword !== undefined) await admin.query(`alter role ${APP_ROLE} password ${escapeLiteral(appPassword)}`);

  const database = await currentDatabase(admin);
  for (const statement of [
    `grant ${SYSTEM_ROLE} to ${OWNER_ROLE} with inherit true, set true`,
    `grant ${OWNER_ROLE} to current_user with set true`,
    // A temporary table stands before ours of the same name. With one, a login would bring its own transitions to a
    // state machine.
    `revoke temporary on database ${database} from public`,
    `grant connect, create, temporary on database ${database} to ${OWNER_ROLE}`,
    `grant connect on database ${database} to ${APP_ROLE}`,
    'revoke create on schema public from public',
    ...((await mayGrantOnPublic(admin))
      ? []
      : [`grant usage, create on schema public to ${OWNER_ROLE} with grant option`]),
    `grant usage on schema public to ${APP_ROLE}, ${SYSTEM_ROLE}`,
  ]) {
    await admin.query(statement);
  }
}

async function createMissing(admin: Client, role: string, login: 'login' | 'nologin'): Promise<void> {
  const { rows } = await admin.query('select from pg_roles where rolname = $1', [role]);
  if (rows.length === 0) await admin.query(`create role ${role} ${login}`);
}

/** A login that is no superuser would grant it a second time in the name of countersign_owner, and be refused. */
async function mayGrantOnPublic(admin: Client): Promise<boolean> {
  const { rows } = await admin.query<{ may: boolean }>(
    `select has_schema_privilege($1, 'public', 'usage with grant option')
        and has_schema_privilege($1, 'public', 'create with grant option') as may`,
    [OWNER_ROLE],
  );
  return rows[0]?.may === true;
}

async function currentDatabase(admin: Client): Promise<string> {
  const { rows } = await admin.query<{ name: string }>('select current_database() as name');
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL did not name the current database.');
  return escapeIdentifier(row.name);
}
