-- Tenants, their environments and secrets, the people and agents in them, and what they sign in with; before that the
-- helpers that every later migration uses to put a table under the rules of the house.
--
-- Run as countersign_owner. The three roles exist already: they belong to the whole cluster, not to one database.

-- ---------------------------------------------------------------------------------------------------------------
-- Helpers
-- ---------------------------------------------------------------------------------------------------------------

create function countersign_current_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.tenant_id', true), '')::uuid;

comment on function countersign_current_tenant() is
  'The tenant this transaction was set to, or null: then row-level security shows nothing.';

create procedure countersign_require_owner()
  language plpgsql as $$
begin
  if current_user <> 'countersign_owner' then
    raise exception 'only countersign_owner changes the schema, and this is %', current_user using errcode = '42501';
  end if;
end $$;

comment on procedure countersign_require_owner() is 'Refuses (42501) any caller but countersign_owner.';

call countersign_require_owner();

create function countersign_protect(target regclass, tenant_column name default 'tenant_id') returns void
  language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
begin
  call countersign_require_owner();
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  -- The subselect is evaluated once a statement, not once a row.
  execute format(
    'create policy %I on %s to countersign_app using (%I = (select countersign_current_tenant())) with check (%I = (select countersign_current_tenant()))',
    base || '_tenant', target, tenant_column, tenant_column);
  execute format('create policy %I on %s to countersign_owner using (true) with check (true)', base || '_owner', target);
  execute format('grant select, insert, update, delete on %s to countersign_app', target);
end $$;

comment on function countersign_protect(regclass, name) is
  'Puts a tenant table under forced row-level security: countersign_app sees and writes the current tenant only.';

create function countersign_refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'CS001';
end $$;

comment on function countersign_refuse_change() is 'Trigger of an append-only table; SQLSTATE CS001.';

create function countersign_append_only(target regclass) returns void
  language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
begin
  call countersign_require_owner();
  execute format('revoke update, delete, truncate on %s from countersign_app', target);
  execute format(
    'create trigger %I before update or delete on %s for each row execute function countersign_refuse_change()',
    base || '_append_only', target);
  execute format(
    'create trigger %I before truncate on %s for each statement execute function countersign_refuse_change()',
    base || '_no_truncate', target);
end $$;

comment on function countersign_append_only(regclass) is
  'Makes a table insert-only: no grant to change it, and triggers that refuse (CS001) whoever has one.';

create function countersign_lookup(target regclass) returns void
  language plpgsql as $$
begin
  call countersign_require_owner();
  execute format('grant select on %s to countersign_app, countersign_system', target);
end $$;

comment on function countersign_lookup(regclass) is 'Lets the service read a global table of constants, and nothing else.';

create function countersign_check_transition() returns trigger
  language plpgsql as $$
declare
  transitions constant text := tg_argv[0];
  state_column constant text := tg_argv[1];
  before text := '';
  after text;
  legal boolean;
begin
  execute format('select ($1).%I', state_column) into after using new;
  if tg_op = 'UPDATE' then
    execute format('select ($1).%I', state_column) into before using old;
    if before = after then
      return new;
    end if;
  end if;
  execute format('select exists (select from %s where from_state = $1 and to_state = $2)', transitions)
    into legal using before, after;
  if not legal then
    raise exception '%: no transition from "%" to "%"', tg_table_name, before, after using errcode = 'CS002';
  end if;
  return new;
end $$;

comment on function countersign_check_transition() is
  'Trigger of a state machine: the change must stand in its transition table; SQLSTATE CS002.';

create function countersign_state_machine(target regclass, transitions regclass, state_column name default 'state')
  returns void language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
begin
  perform countersign_lookup(transitions);
  execute format(
    'create trigger %I before insert on %s for each row execute function countersign_check_transition(%L, %L)',
    base || '_' || state_column || '_initial', target, transitions::text, state_column);
  execute format(
    'create trigger %I before update of %I on %s for each row execute function countersign_check_transition(%L, %L)',
    base || '_' || state_column || '_transition', state_column, target, transitions::text, state_column);
end $$;

comment on function countersign_state_machine(regclass, regclass, name) is
  'Lets a state column change only along the rows (from_state, event, to_state) of a transition table; from_state '''' is creation.';

create function countersign_system_reads(target regclass) returns void
  language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
begin
  call countersign_require_owner();
  execute format('create policy %I on %s for select to countersign_system using (true)', base || '_system', target);
  execute format('grant select on %s to countersign_system', target);
end $$;

comment on function countersign_system_reads(regclass) is
  'Lets the SECURITY DEFINER functions of countersign_system look into a tenant table across tenants.';

create function countersign_system_function(target regprocedure) returns void
  language plpgsql as $$
begin
  call countersign_require_owner();
  -- Only for the moment of the transfer may the new owner create in the schema.
  grant create on schema public to countersign_system;
  execute format('revoke all on function %s from public', target);
  execute format('grant execute on function %s to countersign_app', target);
  execute format('alter function %s owner to countersign_system', target);
  revoke create on schema public from countersign_system;
end $$;

comment on function countersign_system_function(regprocedure) is
  'Hands a SECURITY DEFINER function to countersign_system, callable by countersign_app alone. It must pin search_path and return (tenant_id, id) only.';

-- ---------------------------------------------------------------------------------------------------------------
-- Tenancy
-- ---------------------------------------------------------------------------------------------------------------

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
select countersign_protect('tenant', 'id');

comment on table tenant is 'One customer: nothing of one tenant is ever visible to another.';
comment on column tenant.id is 'UUIDv7; the tenant_id of every other table.';
comment on column tenant.slug is 'Short name for people and addresses; a DNS label.';
comment on column tenant.name is 'Name as people read it.';
comment on column tenant.created_at is 'When it was created, by the database''s clock.';

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
select countersign_protect('environment');

comment on table environment is 'A place where tools act. Approvals bind its record: a change is a new version.';
comment on column environment.tenant_id is 'The tenant it belongs to.';
comment on column environment.id is 'UUIDv7.';
comment on column environment.name is 'Name as autonomy documents and tasks write it.';
comment on column environment.production is 'Whether state changes here count as production.';
comment on column environment.version is 'Counts changes from 1; for ETag and for what an approval binds.';
comment on column environment.created_at is 'When it was created.';
comment on column environment.updated_at is 'When it was last changed.';

-- ---------------------------------------------------------------------------------------------------------------
-- Identity
-- ---------------------------------------------------------------------------------------------------------------

create table person (
  tenant_id uuid not null,
  id uuid not null,
  email text not null,
  display_name text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  constraint person_pk primary key (tenant_id, id),
  constraint person_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint person_email_check check (email ~ '^[^@\s]+@[^@\s]+$' and char_length(email) <= 254),
  constraint person_display_name_check check (char_length(display_name) between 1 and 200)
);
create unique index person_email_key on person (tenant_id, lower(email));
select countersign_protect('person');

comment on table person is 'Somebody who can decide. People are disabled, never deleted: history names them.';
comment on column person.tenant_id is 'The tenant it belongs to.';
comment on column person.id is 'UUIDv7.';
comment on column person.email is 'Address; unique in the tenant without regard to case.';
comment on column person.display_name is 'Name as others read it.';
comment on column person.created_at is 'When it was created.';
comment on column person.disabled_at is 'Since when this person may do nothing; null while they may.';

create table role_grant (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  role text not null,
  granted_at timestamptz not null,
  granted_by uuid,
  revoked_at timestamptz,
  revoked_by uuid,
  constraint role_grant_pk primary key (tenant_id, id),
  constraint role_grant_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint role_grant_granted_by_fk foreign key (tenant_id, granted_by) references person (tenant_id, id),
  constraint role_grant_revoked_by_fk foreign key (tenant_id, revoked_by) references person (tenant_id, id),
  constraint role_grant_role_check check (role ~ '^[A-Za-z][A-Za-z0-9_-]{0,62}$'),
  constraint role_grant_revoked_check check ((revoked_at is null) = (revoked_by is null) and revoked_at >= granted_at)
);
create unique index role_grant_held_key on role_grant (tenant_id, person_id, role) where revoked_at is null;
create index role_grant_role_idx on role_grant (tenant_id, role) where revoked_at is null;
select countersign_protect('role_grant');

comment on table role_grant is 'Who holds which role, since when and by whom; a revoked grant stays as history.';
comment on column role_grant.tenant_id is 'The tenant it belongs to.';
comment on column role_grant.id is 'UUIDv7.';
comment on column role_grant.person_id is 'Who holds the role.';
comment on column role_grant.role is 'PlatformAdmin, SRELead, DevOpsEngineer, SecurityReviewer, or one that the tenant named.';
comment on column role_grant.granted_at is 'Since when; a role gained after a request opened does not count there.';
comment on column role_grant.granted_by is 'Who granted it; null for the first admin, whom the bootstrap token made.';
comment on column role_grant.revoked_at is 'Until when; null while it is held.';
comment on column role_grant.revoked_by is 'Who took it away.';

create table agent (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  description text not null,
  owner_person_id uuid not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  constraint agent_pk primary key (tenant_id, id),
  constraint agent_name_key unique (tenant_id, name),
  constraint agent_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint agent_owner_person_fk foreign key (tenant_id, owner_person_id) references person (tenant_id, id),
  constraint agent_name_check check (char_length(name) between 1 and 200),
  constraint agent_description_check check (char_length(description) <= 2000)
);
create index agent_owner_person_idx on agent (tenant_id, owner_person_id);
select countersign_protect('agent');

comment on table agent is 'A program that asks. It never decides.';
comment on column agent.tenant_id is 'The tenant it belongs to.';
comment on column agent.id is 'UUIDv7.';
comment on column agent.name is 'Name, unique in the tenant.';
comment on column agent.description is 'What it is for.';
comment on column agent.owner_person_id is 'The accountable person, who never reviews what it asks for.';
comment on column agent.created_at is 'When it was created.';
comment on column agent.disabled_at is 'Since when it may do nothing; null while it may.';

create table credential (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  person_id uuid,
  agent_id uuid,
  delegated_by uuid,
  name text not null,
  prefix text not null,
  token_digest bytea not null,
  scopes text[] not null,
  created_at timestamptz not null,
  created_by uuid,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  constraint credential_pk primary key (tenant_id, id),
  -- The one lookup that happens before a tenant is known: by the digest of 256 random bits.
  constraint credential_token_digest_key unique (token_digest),
  constraint credential_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint credential_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint credential_delegated_by_fk foreign key (tenant_id, delegated_by) references person (tenant_id, id),
  constraint credential_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint credential_kind_check check (kind in ('person_token', 'agent_token', 'delegation')),
  constraint credential_holder_check check (
    case kind
      when 'person_token' then person_id is not null and agent_id is null and delegated_by is null
      when 'agent_token' then person_id is null and agent_id is not null and delegated_by is null
      when 'delegation' then person_id is null and agent_id is not null and delegated_by is not null
      else false
    end),
  -- Only a person mints their own token, and only the person for whom an agent will act issues a delegation.
  constraint credential_created_by_check check (
    case kind
      when 'person_token' then created_by is null or created_by = person_id
      when 'delegation' then created_by is not null and created_by = delegated_by
      else created_by is not null
    end),
  constraint credential_scopes_check check (
    cardinality(scopes) > 0 and array_position(scopes, null) is null
    and scopes <@ array['read', 'submit', 'run', 'review', 'halt', 'audit', 'admin']),
  constraint credential_agent_scopes_check check (kind = 'person_token' or not scopes && array['review', 'admin']),
  constraint credential_name_check check (char_length(name) between 1 and 200),
  constraint credential_prefix_check check (char_length(prefix) between 4 and 32),
  constraint credential_token_digest_check check (octet_length(token_digest) = 32),
  constraint credential_expires_at_check check (expires_at > created_at),
  constraint credential_revoked_at_check check (revoked_at >= created_at)
);
create index credential_person_idx on credential (tenant_id, person_id) where person_id is not null;
create index credential_agent_idx on credential (tenant_id, agent_id) where agent_id is not null;
create index credential_delegated_by_idx on credential (tenant_id, delegated_by) where delegated_by is not null;
select countersign_protect('credential');
select countersign_system_reads('credential');

comment on table credential is 'A bearer token, of which only a digest is kept.';
comment on column credential.tenant_id is 'The tenant it belongs to.';
comment on column credential.id is 'UUIDv7.';
comment on column credential.kind is 'person_token, agent_token, or delegation (an agent acting on behalf of a person).';
comment on column credential.person_id is 'The person who signs in with it; only for a person_token.';
comment on column credential.agent_id is 'The agent that signs in with it; for an agent_token and a delegation.';
comment on column credential.delegated_by is 'For whom the agent acts; only for a delegation, and issued by that person.';
comment on column credential.name is 'What the holder calls it.';
comment on column credential.prefix is 'The recognisable start of the token; not secret.';
comment on column credential.token_digest is 'SHA-256 of the token.';
comment on column credential.scopes is 'What it may be used for; never review or admin for an agent.';
comment on column credential.created_at is 'When it was minted.';
comment on column credential.created_by is 'Who minted it; null for the first admin''s token, which the bootstrap token made.';
comment on column credential.expires_at is 'From when it is refused.';
comment on column credential.revoked_at is 'Since when it is refused; null while it is not revoked.';
comment on column credential.last_used_at is 'When it was last seen, roughly.';

create function credential_by_digest(wanted bytea) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select credential.tenant_id, credential.id from credential where credential.token_digest = wanted;
  end;
select countersign_system_function('credential_by_digest(bytea)');

comment on function credential_by_digest(bytea) is
  'Whose credential has this digest. Whether it is still good is decided inside that tenant.';

create table bootstrap_token (
  token_digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint bootstrap_token_pk primary key (token_digest),
  constraint bootstrap_token_digest_check check (octet_length(token_digest) = 32),
  constraint bootstrap_token_expires_at_check check (expires_at > created_at and expires_at <= created_at + interval '24 hours'),
  constraint bootstrap_token_used_at_check check (used_at >= created_at and used_at < expires_at)
);
grant select, insert, update (used_at) on bootstrap_token to countersign_app;

comment on table bootstrap_token is 'Global: a single-use token that creates the first admin of a new tenant.';
comment on column bootstrap_token.token_digest is 'SHA-256 of the token.';
comment on column bootstrap_token.created_at is 'When it was made.';
comment on column bootstrap_token.expires_at is 'From when it is refused; at most 24 hours later.';
comment on column bootstrap_token.used_at is 'When it was used; it works once.';

-- ---------------------------------------------------------------------------------------------------------------
-- Secrets of a tenant
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
  constraint secret_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint secret_name_check check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$'),
  constraint secret_version_check check (version >= 1),
  constraint secret_key_id_check check (char_length(key_id) between 1 and 64),
  constraint secret_nonce_check check (octet_length(nonce) = 12),
  constraint secret_ciphertext_check check (octet_length(ciphertext) between 16 and 65552)
);
create index secret_key_idx on secret (tenant_id, key_id);
select countersign_protect('secret');

comment on table secret is 'A value that tools receive and nobody reads back; AES-256-GCM, bound to tenant, name and version.';
comment on column secret.tenant_id is 'The tenant it belongs to.';
comment on column secret.id is 'UUIDv7.';
comment on column secret.name is 'Name, as a $secret reference writes it.';
comment on column secret.version is 'Counts from 1; a new value is a new version.';
comment on column secret.key_id is 'Which master key encrypts it.';
comment on column secret.nonce is '96 random bits, new at each encryption.';
comment on column secret.ciphertext is 'Ciphertext followed by the 128-bit tag.';
comment on column secret.created_at is 'When this version was stored.';
comment on column secret.created_by is 'Who stored it.';
