import { STANDARD_ROLES } from '#lib/formats';
import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { RoleDirectory } from '../application/read-roles.js';
import type { KnownRole } from '../domain/known-roles.js';
import { roleAssignmentEntity } from './identity.entity.js';

const ROLE_ASSIGNMENT = roleAssignmentEntity.as('role_assignment');

/** The places of roles in an autonomy document. */
const PATHS = ['allowed_approvers', 'roles', 'to', 'may_pass', 'allowed_roles'].map(
  (member) => `$.**.${member}[*] ? (@.type() == "string")`,
);

/** Roles of the document in force, of issuers that are in service, and of people, in PostgreSQL. */
export class SqlRoleDirectory implements RoleDirectory {
  async known(tx: Tx): Promise<readonly KnownRole[]> {
    const rows = await sqlOf(tx).query<{ readonly role: string; readonly source: 'autonomy' | 'issuer' | 'held' }>(
      `select distinct named.role, named.source from (
         select found.role #>> '{}' as role, 'autonomy' as source
           from (select document::jsonb as document from autonomy_revision
                  where tenant_id = $1 order by number desc limit 1) in_force
           cross join unnest($2::text[]) path
           cross join lateral jsonb_path_query(in_force.document, path::jsonpath) as found (role)
         union all
         select mapping ->> 'role', 'issuer'
           from issuer cross join lateral jsonb_array_elements(issuer.role_mappings) mapping
          where issuer.tenant_id = $1 and issuer.disabled_at is null
         union all
         select ${ROLE_ASSIGNMENT.role}, 'held' from role_assignment where tenant_id = $1 and ${ROLE_ASSIGNMENT.revokedAt} is null
       ) named where named.role <> 'any' order by named.role, named.source`,
      [tx.tenantId, PATHS],
    );
    const known = new Map<string, KnownRole['by']>(STANDARD_ROLES.map((role) => [role, ['standard']]));
    for (const { role, source } of rows) known.set(role, [...(known.get(role) ?? []), source]);
    return [...known]
      .map(([role, by]) => ({ role, by }))
      .sort((one, other) => one.role.localeCompare(other.role, 'en'));
  }
}
