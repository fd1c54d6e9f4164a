-- Tenants, their environments, and the secrets that their tools receive.

create table tenant (
  id uuid not null,
  slug text not null,
  name text not null,
  created_at timestamptz not null,
  constraint tenant_pk primary key (id),
  constraint tenant_slug_key unique (slug),
  constraint tenant_slug_check check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  constraint tenant_name_check check (char_length(name) between 1 and 200)
);

comment on table tenant is 'One customer: nothing of one tenant is ever visible to another.';
comment on column tenant.id is 'UUIDv7; the tenant_id of every other table.';
comment on column tenant.slug is 'Short name for people and addresses; a DNS label.';
comment on column tenant.name is 'Name as people read it.';
comment on column tenant.created_at is 'When it was created, by the database''s clock.';

select countersign_protect('tenant', 'id');
-- A server that starts without any tenant makes a bootstrap token.
select countersign_system_reads('tenant');

create function any_tenant() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id from tenant limit 1;
  end;
select countersign_system_function('any_tenant()');
comment on function any_tenant() is 'Some tenant, or no row if none was founded yet.';

create function only_tenant() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id from tenant
     where not exists (select from tenant other where other.id <> tenant.id) limit 1;
  end;
select countersign_system_function('only_tenant()');
comment on function only_tenant() is 'The tenant of an installation that has just one: there people need not name theirs.';

create function tenant_by_slug(wanted text) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id from tenant where tenant.slug = wanted;
  end;
select countersign_system_function('tenant_by_slug(text)');
comment on function tenant_by_slug(text) is 'The tenant somebody who is not signed in yet names.';

create table environment (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  production boolean not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint environment_pk primary key (tenant_id, id),
  constraint environment_name_key unique (tenant_id, name),
  constraint environment_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint environment_name_check check (name ~ '^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$'),
  constraint environment_version_check check (version >= 1),
  constraint environment_updated_at_check check (updated_at >= created_at)
);

comment on table environment is 'A destination of tools. Approvals bind its record: a change is a new version.';
comment on column environment.tenant_id is 'The tenant it belongs to.';
comment on column environment.id is 'UUIDv7.';
comment on column environment.name is 'Name as autonomy documents and tasks write it.';
comment on column environment.production is 'Whether state changes here count as production.';
comment on column environment.version is 'Counts changes from 1; for ETag and for the binding of an approval.';
comment on column environment.created_at is 'When it was created.';
comment on column environment.updated_at is 'When it was last changed.';

select countersign_protect('environment');

-- ---------------------------------------------------------------------------------------------------------------
-- Secrets
-- ---------------------------------------------------------------------------------------------------------------

create table secret (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  version integer not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null,
  created_by uuid not null,
  constraint secret_pk primary key (tenant_id, id),
  constraint secret_name_version_key unique (tenant_id, name, version),
  constraint secret_name_check check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$'),
  constraint secret_version_check check (version >= 1),
  constraint secret_key_id_check check (char_length(key_id) between 1 and 64),
  constraint secret_nonce_check check (octet_length(nonce) = 12),
  constraint secret_ciphertext_check check (octet_length(ciphertext) between 16 and 65552)
);
create index secret_key_idx on secret (tenant_id, key_id);

comment on table secret is 'A value that tools receive and people never read back; AES-256-GCM, bound to tenant, name and version.';
comment on column secret.tenant_id is 'The tenant it belongs to.';
comment on column secret.id is 'UUIDv7.';
comment on column secret.name is 'Name, as a $secret reference writes it.';
comment on column secret.version is 'Counts from 1; a new value is a new version.';
comment on column secret.key_id is 'Which master key encrypts it.';
comment on column secret.nonce is '96 random bits, new at each encryption.';
comment on column secret.ciphertext is 'Ciphertext followed by the 128-bit tag.';
comment on column secret.created_at is 'When this version was stored.';
comment on column secret.created_by is 'The person who stored it.';

select countersign_protect('secret');

-- A secret is sent only to the uses that its binding names. A secret without a binding is sent nowhere.
create table secret_binding (
  tenant_id uuid not null constraint secret_binding_tenant_fk references tenant (id),
  secret_name text not null,
  purpose text not null,
  executors text[] not null,
  environments text[] not null,
  tools text[] not null,
  updated_at timestamptz not null,
  updated_by uuid not null,
  constraint secret_binding_pk primary key (tenant_id, secret_name),
  constraint secret_binding_name_check check (secret_name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$'),
  constraint secret_binding_purpose_check check (purpose in ('tool_arguments', 'executor_token', 'sign_in', 'incidents')),
  constraint secret_binding_use_check
    check ((purpose in ('tool_arguments', 'executor_token')) = (cardinality(executors) + cardinality(environments) > 0)),
  constraint secret_binding_tools_check check ((purpose = 'tool_arguments') = (cardinality(tools) > 0)),
  constraint secret_binding_nulls_check
    check (array_position(executors, null) is null and array_position(environments, null) is null and array_position(tools, null) is null)
);

comment on table secret_binding is 'The uses of a secret, for all its versions alike. It is sent nowhere else, and without a row nowhere at all.';
comment on column secret_binding.tenant_id is 'The tenant it belongs to.';
comment on column secret_binding.secret_name is 'The secret, by its name.';
comment on column secret_binding.purpose is 'tool_arguments: calls of the tools get it. executor_token: the executors are called with it. sign_in: client secret at issuers. incidents: routing key of pages.';
comment on column secret_binding.executors is 'Executors it may be sent to, as <environment>/<name>.';
comment on column secret_binding.environments is 'Environments of which it may be sent to every executor, by name.';
comment on column secret_binding.tools is 'Names of the tools that get it in their calls; only for tool_arguments.';
comment on column secret_binding.updated_at is 'When the binding last changed.';
comment on column secret_binding.updated_by is 'The person who asked for it.';

select countersign_protect('secret_binding');
select countersign_changes_only('secret_binding',
  'purpose', 'executors', 'environments', 'tools', 'updated_at', 'updated_by');
grant delete on secret_binding to countersign_app;
