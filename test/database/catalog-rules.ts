import type { ClientBase, Pool } from 'pg';

/** Tables that belong to no tenant, each with its reason. */
export const GLOBAL_TABLES: Readonly<Record<string, string>> = {
  schema_migration: 'bookkeeping of migrations',
  schema_migration_file: 'bookkeeping of migrations',
  bootstrap_token: 'comes before the first tenant',
  policy_bundle: 'one set of policies decides for everybody',
  bundle_head: 'which of them is in force',
  grant_key: 'one set of keys signs the grants of every tenant',
  accepted_host: 'one installation has one public address',
  audit_cursor: 'transactions are counted across tenants',
};

/** Lookup tables of constants: states and the transitions between them. */
const LOOKUP_TABLE = /_(state|transition)$/;

/** Indexes that may begin with something else than the tenant, each with its reason. */
export const CROSS_TENANT_INDEXES: Readonly<Record<string, string>> = {
  tenant_slug_key: 'slugs are unique among tenants',
  credential_token_digest_key: 'the lookup before a tenant is known',
  enrolment_token_digest_key: 'the lookup before a tenant is known',
  runner_enrolment_token_digest_key: 'the lookup before a tenant is known',
  slack_install_attempt_digest_key: 'the lookup before a tenant is known',
  slack_installation_app_team_key: 'what Slack sends names app and workspace, and no tenant',
  sign_in_transaction_state_digest_key: 'a state serves one return, of whatever tenant',
  browser_session_previous_digest_key: 'the lookup before a tenant is known',
  factor_passkey_lookup_idx: 'the lookup before a tenant is known',
  audit_entry_xid_idx: 'transactions are counted across tenants',
};

/** SECURITY DEFINER functions of countersign_owner, each with its reason. */
const OWNER_FUNCTIONS = {
  countersign_add_months: 'only the owner of a table adds a partition; the caller chooses nothing',
  tenant_move_held: 'a move that lasts too long is let go for any tenant; the caller chooses nothing',
};

/** The breaches of the schema's rules; each is one sentence that begins with the object's name. */
export async function catalogProblems(
  owner: Pool | ClientBase,
  exceptions: { readonly globalTables: readonly string[]; readonly crossTenantIndexes: readonly string[] },
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const sql of [
    tablesWithoutTenant,
    tablesOutsideRowSecurity,
    loosePolicies,
    tenantColumns,
    indexesNotLedByTenant,
    indexesThatServeNothing,
    foreignKeysAcrossTenants,
    namelessConstraints,
    missingComments,
    partialLists,
    wrongOwners,
    excessiveGrants,
    viewsThatBypass,
    definerFunctions,
    openPartitions,
  ]) {
    const { rows } = await owner.query<{ problem: string }>(sql, [
      exceptions.globalTables,
      LOOKUP_TABLE.source,
      exceptions.crossTenantIndexes,
    ]);
    problems.push(...rows.map((row) => row.problem));
  }
  return problems.sort();
}

// Every query takes the same three parameters, even if it needs none. They are $1 global tables, $2 the pattern of lookup tables,
// $3 indexes across tenants.
const unused = '$1::text[] is not null and $2::text is not null and $3::text[] is not null';
/** Functions of an extension have the comments that it gives them, or none. */
const isOfExtension = `exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e')`;
const ourTables = `
  pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  left join pg_attribute tenant on tenant.attrelid = c.oid
    and tenant.attname = case when c.relname = 'tenant' then 'id' else 'tenant_id' end and not tenant.attisdropped`;
const areTables = `c.relkind in ('r', 'p') and ${unused}`;
/** A partition has the columns, indexes and constraints of its table, and no rights of its own. */
const areWhole = `${areTables} and not c.relispartition`;

const tablesWithoutTenant = `
  select format('%s: has no tenant_id and is not a known global table', c.relname) as problem from ${ourTables}
  where ${areTables} and tenant.attname is null and not c.relname = any($1) and c.relname !~ $2`;

const tablesOutsideRowSecurity = `
  select format('%s: row-level security is not %s', c.relname, case when c.relrowsecurity then 'forced' else 'enabled' end) as problem
  from ${ourTables}
  where ${areTables} and tenant.attname is not null and not (c.relrowsecurity and c.relforcerowsecurity)`;

const loosePolicies = `
  select format('%s: the policy %s %s', p.tablename, p.policyname, why.why) as problem
  from pg_policies p, lateral (select case
    when p.roles && array['public']::name[] then 'is for everybody'
    when 'countersign_app' = any(p.roles) and not (
      p.qual like '%countersign_current_tenant()%' and p.with_check like '%countersign_current_tenant()%'
      and p.qual not like '% OR %' and p.permissive = 'PERMISSIVE') then 'does not hold countersign_app to the current tenant'
    when 'countersign_system' = any(p.roles) and p.cmd <> 'SELECT'
      and (coalesce(p.qual, p.with_check) not like '%countersign_current_tenant()%') then 'lets countersign_system write anywhere'
  end as why) why
  where p.schemaname = 'public' and why.why is not null and ${unused}
  union all
  select format('%s: %s policies for countersign_app, not one', c.relname, count(p.policyname)) as problem
  from ${ourTables} left join pg_policies p on p.schemaname = 'public' and p.tablename = c.relname and 'countersign_app' = any(p.roles)
  where ${areWhole} and tenant.attname is not null
  group by c.relname having count(p.policyname) <> 1`;

const tenantColumns = `
  select format('%s: its tenant column is not "uuid not null"', c.relname) as problem from ${ourTables}
  where ${areTables} and tenant.attname is not null and not (tenant.attnotnull and tenant.atttypid = 'uuid'::regtype)
  union all
  select format('%s: has no primary key', c.relname) as problem from ${ourTables}
  where ${areTables} and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`;

const indexesNotLedByTenant = `
  select format('%s: the index %s does not lead with the tenant', c.relname, i.relname) as problem
  from ${ourTables} join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
  where ${areWhole} and tenant.attname is not null and x.indkey[0] <> tenant.attnum and not i.relname = any($3)`;

/**
 * Row-level security lets an index serve a condition only if its functions are leakproof. Those of jsonb and of text are not. A
 * unique index serves by its refusals.
 */
const indexesThatServeNothing = `
  select format('%s: the index %s is over an expression, and serves no query under row-level security', c.relname, i.relname) as problem
  from ${ourTables} join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
  where ${areWhole} and tenant.attname is not null and x.indexprs is not null and not x.indisunique`;

const foreignKeysAcrossTenants = `
  select format('%s: the foreign key %s does not carry the tenant', c.relname, k.conname) as problem
  from ${ourTables} join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
  join pg_class target on target.oid = k.confrelid
  join pg_attribute there on there.attrelid = target.oid and not there.attisdropped
    and there.attname = case when target.relname = 'tenant' then 'id' else 'tenant_id' end
  where ${areTables} and not exists (
    select from unnest(k.conkey, k.confkey) as pair (here, other) where pair.here = tenant.attnum and pair.other = there.attnum)`;

const namelessConstraints = `
  select format('%s: the constraint %s has PostgreSQL''s name, not ours', c.relname, k.conname) as problem
  from ${ourTables} join pg_constraint k on k.conrelid = c.oid
  where ${areWhole} and c.relname <> 'schema_migration' and (k.contype = 'p' and k.conname like '%\\_pkey' or k.contype = 'f' and k.conname like '%\\_fkey'
    or k.conname ~ '\\d$' and k.contype <> 'n' and k.conparentid = 0)`;

const missingComments = `
  select format('%s: has no comment', c.relname) as problem from ${ourTables}
  where c.relkind in ('r', 'p', 'v') and ${unused} and obj_description(c.oid, 'pg_class') is null
  union all
  select format('%s: the column %s has no comment', c.relname, a.attname) as problem
  from ${ourTables} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p', 'v') and not c.relispartition and ${unused} and col_description(c.oid, a.attnum) is null
  union all
  select format('%s(): has no comment', f.proname) as problem
  from pg_proc f join pg_namespace n on n.oid = f.pronamespace and n.nspname = 'public'
  where ${unused} and obj_description(f.oid, 'pg_proc') is null and not ${isOfExtension}`;

/** Two values in a comment are a list of them. */
const partialLists = `
  select format('%s: the comment of %s leaves out %s', relname, attname, string_agg(word, ', ') filter (where not named)) as problem
  from (
    select c.relname, a.attname, m[1] as word,
           col_description(c.oid, a.attnum) ~ ('\\m' || replace(m[1], '_', '[ _]') || '\\M') as named
    from ${ourTables}
    join pg_constraint k on k.conrelid = c.oid and k.contype = 'c' and cardinality(k.conkey) = 1
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    cross join lateral regexp_matches(pg_get_constraintdef(k.oid), '''([a-z_]+)''', 'g') m
    where ${areTables} and not c.relispartition and pg_get_constraintdef(k.oid) ~ '= ANY \\(.*ARRAY'
  ) listed
  group by relname, attname
  having count(*) filter (where named) > 1 and count(*) filter (where not named) > 0`;

const wrongOwners = `
  select format('%s: belongs to %s', c.relname, pg_get_userbyid(c.relowner)) as problem from ${ourTables}
  where ${unused} and pg_get_userbyid(c.relowner) <> 'countersign_owner'`;

const excessiveGrants = `
  select format('%s: %s may %s', g.table_name, g.grantee, g.privilege_type) as problem
  from information_schema.role_table_grants g
  where g.table_schema = 'public' and ${unused} and (
    g.grantee = 'PUBLIC'
    or g.grantee = 'countersign_app' and g.privilege_type in ('TRUNCATE', 'TRIGGER', 'REFERENCES', 'MAINTAIN')
    or g.grantee = 'countersign_app' and g.table_name ~ $2 and g.privilege_type <> 'SELECT')`;

const viewsThatBypass = `
  select format('%s: the view looks with its owner''s eyes; it needs security_invoker', c.relname) as problem from ${ourTables}
  where ${unused} and (c.relkind = 'm' or c.relkind = 'v' and not coalesce(c.reloptions @> array['security_invoker=true'], false))`;

const isOwnerFunction = `f.proname = any (array['${Object.keys(OWNER_FUNCTIONS).join("', '")}'])`;
const ownerOfDefiner = `case when ${isOwnerFunction} then 'countersign_owner' else 'countersign_system' end`;

const definerFunctions = `
  select format('%s(): %s', f.proname, why.why) as problem
  from pg_proc f join pg_namespace n on n.oid = f.pronamespace and n.nspname = 'public',
  lateral (select unnest(array_remove(array[
    case when pg_get_userbyid(f.proowner) <> ${ownerOfDefiner} then 'a SECURITY DEFINER function belongs to ' || pg_get_userbyid(f.proowner) end,
    case when not coalesce(f.proconfig @> array['search_path=pg_catalog, public, pg_temp'], false) then 'does not pin its search_path' end,
    case when not ${isOwnerFunction} and pg_get_function_result(f.oid) <> 'TABLE(tenant_id uuid, id uuid)' then 'returns ' || pg_get_function_result(f.oid) || ', not ids only' end,
    case when has_function_privilege('public', f.oid, 'execute') then 'may be called by everybody' end
  ], null)) as why) why
  where f.prosecdef and ${unused}`;

const openPartitions = `
  select format('%s: %s may %s a partition', c.relname, coalesce(nullif(g.grantee, 0)::regrole::text, 'everybody'), g.privilege_type) as problem
  from ${ourTables}, aclexplode(c.relacl) g
  where c.relispartition and g.grantee <> c.relowner and ${unused}`;
