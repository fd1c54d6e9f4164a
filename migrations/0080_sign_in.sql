-- Signing in at an OpenID Connect issuer: the issuers of a tenant, who somebody is there, sign-ins under way, and the
-- browser sessions they open. A session is a credential, so that whatever names a credential can name it.

-- ---------------------------------------------------------------------------------------------------------------
-- Issuers
-- ---------------------------------------------------------------------------------------------------------------

create table sign_in_settings (
  tenant_id uuid not null,
  revision integer not null,
  reauthenticate_after_minutes integer not null,
  sign_in_required boolean not null,
  updated_at timestamptz not null,
  updated_by uuid not null,
  constraint sign_in_settings_pk primary key (tenant_id),
  constraint sign_in_settings_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint sign_in_settings_updated_by_fk foreign key (tenant_id, updated_by) references person (tenant_id, id),
  constraint sign_in_settings_revision_check check (revision >= 1),
  constraint sign_in_settings_reauthenticate_check check (reauthenticate_after_minutes between 5 and 43200)
);
select countersign_protect('sign_in_settings');
select countersign_changes_only('sign_in_settings', 'revision', 'reauthenticate_after_minutes', 'sign_in_required',
  'updated_at', 'updated_by');

comment on table sign_in_settings is 'How people of a tenant sign in; no row where nobody has said so yet.';
comment on column sign_in_settings.tenant_id is 'The tenant it belongs to.';
comment on column sign_in_settings.revision is 'Counts changes of the settings and issuers together, from 1; for ETag.';
comment on column sign_in_settings.reauthenticate_after_minutes is 'How old a sign-in may be for a review or an administrative action.';
comment on column sign_in_settings.sign_in_required is 'Whether also those who never signed in at an issuer have to, before they review or administer.';
comment on column sign_in_settings.updated_at is 'When it was last changed.';
comment on column sign_in_settings.updated_by is 'Who changed it last.';

create table issuer (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  display_name text not null,
  issuer_url text not null,
  client_id text not null,
  client_secret text,
  algorithms text[] not null,
  extra_scopes text[] not null,
  roles_claim text not null,
  role_mappings jsonb not null,
  provision text not null,
  link_by_verified_email boolean not null,
  bearer_scopes text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disabled_at timestamptz,
  constraint issuer_pk primary key (tenant_id, id),
  -- People are known by (issuer, subject): an address that came back is the same issuer again.
  constraint issuer_url_key unique (tenant_id, issuer_url),
  constraint issuer_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint issuer_name_check check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  constraint issuer_display_name_check check (char_length(display_name) between 1 and 200),
  constraint issuer_url_check check (issuer_url ~ '^https?://' and char_length(issuer_url) <= 500),
  constraint issuer_client_id_check check (char_length(client_id) between 1 and 500),
  constraint issuer_algorithms_check check (cardinality(algorithms) > 0 and algorithms <@
    array['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']),
  constraint issuer_roles_claim_check check (char_length(roles_claim) between 1 and 200),
  constraint issuer_role_mappings_check check (jsonb_typeof(role_mappings) = 'array'),
  constraint issuer_provision_check check (provision in ('mapped', 'anybody', 'nobody')),
  constraint issuer_bearer_scopes_check check (
    bearer_scopes <@ array['read', 'submit', 'run', 'review', 'halt', 'audit', 'admin']),
  constraint issuer_updated_at_check check (updated_at >= created_at)
);
create unique index issuer_name_key on issuer (tenant_id, name) where disabled_at is null;
select countersign_protect('issuer');
select countersign_changes_only('issuer', 'name', 'display_name', 'client_id', 'client_secret', 'algorithms',
  'extra_scopes', 'roles_claim', 'role_mappings', 'provision', 'link_by_verified_email', 'bearer_scopes', 'updated_at',
  'disabled_at');

comment on table issuer is 'An OpenID Connect issuer that people of a tenant sign in at. Taken out of service, never deleted: identities name it.';
comment on column issuer.tenant_id is 'The tenant it belongs to.';
comment on column issuer.id is 'UUIDv7.';
comment on column issuer.name is 'Short name for addresses; unique among those in service.';
comment on column issuer.display_name is 'Name as people read it.';
comment on column issuer.issuer_url is 'Its issuer identifier, exactly as its tokens spell it.';
comment on column issuer.client_id is 'Who Countersign is there.';
comment on column issuer.client_secret is 'The secret of the tenant that holds the client secret, as name@version; null for a public client.';
comment on column issuer.algorithms is 'Signature algorithms its tokens may have.';
comment on column issuer.extra_scopes is 'Asked for besides openid, profile and email.';
comment on column issuer.roles_claim is 'The claim that says which groups somebody is in.';
comment on column issuer.role_mappings is 'Array of {value, role}: whoever has the value in the claim holds the role.';
comment on column issuer.provision is 'Who becomes a person at their first sign-in: mapped (whoever gets a role), anybody, or nobody.';
comment on column issuer.link_by_verified_email is 'Whether a first sign-in with the verified address of a person who is there is theirs.';
comment on column issuer.bearer_scopes is 'What an access token of this issuer may be used for; empty refuses them.';
comment on column issuer.created_at is 'When it was first named.';
comment on column issuer.updated_at is 'When it was last changed.';
comment on column issuer.disabled_at is 'Since when nobody signs in there; null while they may.';

-- ---------------------------------------------------------------------------------------------------------------
-- Who somebody is at an issuer
-- ---------------------------------------------------------------------------------------------------------------

alter table person add column signed_in_at timestamptz;
comment on column person.signed_in_at is 'When they last signed in at an issuer, by its word; null before the first time.';

create table external_identity (
  tenant_id uuid not null,
  id uuid not null,
  issuer_id uuid not null,
  subject text not null,
  person_id uuid not null,
  bearer_credential_id uuid,
  created_at timestamptz not null,
  signed_in_at timestamptz not null,
  constraint external_identity_pk primary key (tenant_id, id),
  constraint external_identity_subject_key unique (tenant_id, issuer_id, subject),
  constraint external_identity_issuer_fk foreign key (tenant_id, issuer_id) references issuer (tenant_id, id),
  constraint external_identity_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint external_identity_bearer_credential_fk foreign key (tenant_id, bearer_credential_id) references credential (tenant_id, id),
  constraint external_identity_subject_check check (char_length(subject) between 1 and 255),
  constraint external_identity_signed_in_at_check check (signed_in_at >= created_at)
);
create unique index external_identity_person_key on external_identity (tenant_id, person_id, issuer_id);
create index external_identity_bearer_credential_idx on external_identity (tenant_id, bearer_credential_id)
  where bearer_credential_id is not null;
select countersign_protect('external_identity');
select countersign_changes_only('external_identity', 'bearer_credential_id', 'signed_in_at');

comment on table external_identity is 'Who a subject of an issuer is here. One person has at most one at each issuer.';
comment on column external_identity.tenant_id is 'The tenant it belongs to.';
comment on column external_identity.id is 'UUIDv7.';
comment on column external_identity.issuer_id is 'At which issuer.';
comment on column external_identity.subject is 'The issuer''s identifier of them (sub), which never changes hands; an e-mail address may.';
comment on column external_identity.person_id is 'Who that is.';
comment on column external_identity.bearer_credential_id is 'The credential that stands for the access tokens of this identity; null before the first.';
comment on column external_identity.created_at is 'When it was first seen.';
comment on column external_identity.signed_in_at is 'When it was last seen at a sign-in.';

-- A role may come from an issuer's word rather than from a person.
alter table role_grant add column granted_by_issuer uuid, add column revoked_by_issuer uuid;
alter table role_grant
  add constraint role_grant_granted_by_issuer_fk foreign key (tenant_id, granted_by_issuer) references issuer (tenant_id, id),
  add constraint role_grant_revoked_by_issuer_fk foreign key (tenant_id, revoked_by_issuer) references issuer (tenant_id, id),
  drop constraint role_grant_revoked_check,
  add constraint role_grant_revoked_check check (
    (revoked_at is null) = (revoked_by is null and revoked_by_issuer is null)
    and (revoked_by is null or revoked_by_issuer is null) and revoked_at >= granted_at),
  add constraint role_grant_granted_by_check check (granted_by is null or granted_by_issuer is null);
create index role_grant_issuer_idx on role_grant (tenant_id, granted_by_issuer) where granted_by_issuer is not null;
grant update (revoked_by_issuer) on role_grant to countersign_app;
comment on column role_grant.granted_by_issuer is 'The issuer whose claims gave the role; null where a person did.';
comment on column role_grant.revoked_by_issuer is 'The issuer whose claims no longer gave it.';

-- ---------------------------------------------------------------------------------------------------------------
-- Sign-ins under way
-- ---------------------------------------------------------------------------------------------------------------

create table sign_in_transaction (
  tenant_id uuid not null,
  id uuid not null,
  issuer_id uuid not null,
  state_digest bytea not null,
  browser_digest bytea not null,
  nonce text not null,
  code_verifier text not null,
  max_age_seconds integer,
  return_to text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint sign_in_transaction_pk primary key (tenant_id, id),
  -- Looked up before a tenant is known, by the digest of 256 random bits.
  constraint sign_in_transaction_state_digest_key unique (state_digest),
  constraint sign_in_transaction_issuer_fk foreign key (tenant_id, issuer_id) references issuer (tenant_id, id),
  constraint sign_in_transaction_state_digest_check check (octet_length(state_digest) = 32),
  constraint sign_in_transaction_browser_digest_check check (octet_length(browser_digest) = 32),
  constraint sign_in_transaction_expires_at_check check (expires_at > created_at and expires_at <= created_at + interval '10 minutes'),
  constraint sign_in_transaction_used_at_check check (used_at >= created_at)
);
create index sign_in_transaction_expires_at_idx on sign_in_transaction (tenant_id, expires_at);
create index sign_in_transaction_issuer_idx on sign_in_transaction (tenant_id, issuer_id);
select countersign_protect('sign_in_transaction');
select countersign_system_reads('sign_in_transaction');
select countersign_changes_only('sign_in_transaction', 'used_at');
grant delete on sign_in_transaction to countersign_app;
create trigger sign_in_transaction_set_once before update on sign_in_transaction
  for each row execute function countersign_refuse_unset('used_at');

comment on table sign_in_transaction is 'A browser that was sent to an issuer and has not come back yet; forgotten soon after it expired.';
comment on column sign_in_transaction.tenant_id is 'The tenant it belongs to.';
comment on column sign_in_transaction.id is 'UUIDv7.';
comment on column sign_in_transaction.issuer_id is 'Where the browser was sent.';
comment on column sign_in_transaction.state_digest is 'SHA-256 of the state parameter it has to come back with.';
comment on column sign_in_transaction.browser_digest is 'SHA-256 of the cookie of the browser that was sent.';
comment on column sign_in_transaction.nonce is 'What the ID token has to carry.';
comment on column sign_in_transaction.code_verifier is 'The secret of PKCE (RFC 7636).';
comment on column sign_in_transaction.max_age_seconds is 'How old the sign-in at the issuer may be; null where nothing was asked.';
comment on column sign_in_transaction.return_to is 'The page to show afterwards: a path of our own.';
comment on column sign_in_transaction.created_at is 'When the browser was sent.';
comment on column sign_in_transaction.expires_at is 'From when coming back is too late.';
comment on column sign_in_transaction.used_at is 'When it came back; it works once.';

create function sign_in_transaction_by_state(wanted bytea) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select t.tenant_id, t.id from sign_in_transaction t where t.state_digest = wanted;
  end;
select countersign_system_function('sign_in_transaction_by_state(bytea)');
comment on function sign_in_transaction_by_state(bytea) is
  'Whose sign-in under way has this state. Whether it may be finished is decided inside that tenant.';

create function tenant_by_slug(wanted text) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id from tenant where tenant.slug = wanted;
  end;
select countersign_system_function('tenant_by_slug(text)');
comment on function tenant_by_slug(text) is 'The tenant somebody who is not signed in yet names.';

create function only_tenant() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id from tenant
     where not exists (select from tenant other where other.id <> tenant.id) limit 1;
  end;
select countersign_system_function('only_tenant()');
comment on function only_tenant() is 'The tenant of an installation that has just one: there nobody needs to name theirs.';

-- ---------------------------------------------------------------------------------------------------------------
-- Sessions
-- ---------------------------------------------------------------------------------------------------------------

alter table credential
  drop constraint credential_kind_check,
  add constraint credential_kind_check check (kind in ('person_token', 'agent_token', 'delegation', 'session', 'issuer_token')),
  drop constraint credential_holder_check,
  add constraint credential_holder_check check (
    case kind
      when 'agent_token' then person_id is null and agent_id is not null and delegated_by is null
      when 'delegation' then person_id is null and agent_id is not null and delegated_by is not null
      else person_id is not null and agent_id is null and delegated_by is null
    end),
  drop constraint credential_created_by_check,
  add constraint credential_created_by_check check (
    case kind
      when 'person_token' then created_by is null or created_by = person_id
      when 'delegation' then created_by is not null and created_by = delegated_by
      when 'agent_token' then created_by is not null
      else created_by is null
    end),
  drop constraint credential_agent_scopes_check,
  add constraint credential_agent_scopes_check check (
    kind not in ('agent_token', 'delegation') or not scopes && array['review', 'admin']);

comment on column credential.kind is 'person_token, agent_token, delegation (an agent acting on behalf of a person), session (a browser), or issuer_token (access tokens of an issuer).';
comment on column credential.person_id is 'The person who signs in with it; for a person_token, a session and an issuer_token.';
comment on column credential.created_by is 'Who minted it; null for a token that an enrolment brought, and for what a sign-in opened.';
comment on column credential.token_digest is 'SHA-256 of the token; a session''s changes when it is rotated.';

-- Rotating a session is giving it another token. Nothing else about a credential changes.
grant update (token_digest) on credential to countersign_app;

create function credential_refuse_new_token() returns trigger
  language plpgsql as $$
begin
  if old.kind <> 'session' then
    raise exception 'credential: the token of a % never changes', old.kind using errcode = 'CS001';
  end if;
  return new;
end $$;
comment on function credential_refuse_new_token() is 'Trigger: only a session is given another token; SQLSTATE CS001.';
create trigger credential_token_unchanged before update of token_digest on credential
  for each row when (old.token_digest is distinct from new.token_digest) execute function credential_refuse_new_token();

create table browser_session (
  tenant_id uuid not null,
  id uuid not null,
  identity_id uuid not null,
  csrf_token text not null,
  user_agent text not null,
  authenticated_at timestamptz not null,
  previous_digest bytea,
  rotated_at timestamptz,
  id_token_key_id text,
  id_token_nonce bytea,
  id_token_ciphertext bytea,
  created_at timestamptz not null,
  constraint browser_session_pk primary key (tenant_id, id),
  -- Looked up before a tenant is known, for the moment in which a browser still uses the token from before a rotation.
  constraint browser_session_previous_digest_key unique (previous_digest),
  constraint browser_session_credential_fk foreign key (tenant_id, id) references credential (tenant_id, id),
  constraint browser_session_identity_fk foreign key (tenant_id, identity_id) references external_identity (tenant_id, id),
  constraint browser_session_csrf_token_check check (char_length(csrf_token) >= 43),
  constraint browser_session_user_agent_check check (char_length(user_agent) <= 500),
  constraint browser_session_previous_digest_check check (octet_length(previous_digest) = 32),
  constraint browser_session_rotated_check check ((previous_digest is null) = (rotated_at is null)),
  constraint browser_session_id_token_check check (
    (id_token_key_id is null) = (id_token_ciphertext is null) and (id_token_nonce is null) = (id_token_ciphertext is null))
);
create index browser_session_identity_idx on browser_session (tenant_id, identity_id);
select countersign_protect('browser_session');
select countersign_system_reads('browser_session');
select countersign_changes_only('browser_session', 'previous_digest', 'rotated_at');

comment on table browser_session is 'What a session knows beyond its credential, which holds its token, its limits and its end.';
comment on column browser_session.tenant_id is 'The tenant it belongs to.';
comment on column browser_session.id is 'The credential it is.';
comment on column browser_session.identity_id is 'Who signed in, at which issuer.';
comment on column browser_session.csrf_token is 'What a request that changes something has to carry besides the cookie; worthless without it.';
comment on column browser_session.user_agent is 'How the browser called itself.';
comment on column browser_session.authenticated_at is 'When they proved to the issuer who they are, by its word.';
comment on column browser_session.previous_digest is 'SHA-256 of the token before the last rotation; accepted for some seconds after it.';
comment on column browser_session.rotated_at is 'When it was last rotated; null before the first time.';
comment on column browser_session.id_token_key_id is 'Which master key encrypts the ID token; null where none was kept.';
comment on column browser_session.id_token_nonce is '96 random bits.';
comment on column browser_session.id_token_ciphertext is 'The ID token, which signing out at the issuer asks for.';
comment on column browser_session.created_at is 'When it was opened.';

-- A few requests may be under way with the old token while a browser learns the new one.
create or replace function credential_by_digest(wanted bytea) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select credential.tenant_id, credential.id from credential where credential.token_digest = wanted
    union all
    select s.tenant_id, s.id from browser_session s
     where s.previous_digest = wanted and s.rotated_at > clock_timestamp() - interval '10 seconds';
  end;

drop function credential_standing(bytea);

-- As before, and: until when a session may rest, and when a person last signed in where they have to.
create function credential_standing(wanted bytea)
  returns table (tenant_id uuid, id uuid, kind text, person_id uuid, agent_id uuid, delegated_by uuid, token_digest bytea,
                 scopes text[], now timestamptz, created_at timestamptz, expires_at timestamptz, revoked_at timestamptz,
                 last_used_at timestamptz, display_name text, enrolled_at timestamptz, signed_in_at timestamptz,
                 owner_person_id uuid, holder_disabled boolean, backer_disabled boolean, roles jsonb)
  language plpgsql as $$
declare
  before constant text := coalesce(current_setting('app.tenant_id', true), '');
  located record;
begin
  select found.tenant_id, found.id into located from credential_by_digest(wanted) found;
  if not found then
    return;
  end if;
  perform set_config('app.tenant_id', located.tenant_id::text, true);
  return query
    select c.tenant_id, c.id, c.kind, c.person_id, c.agent_id, c.delegated_by, wanted, c.scopes,
           clock_timestamp(), c.created_at, c.expires_at, c.revoked_at, c.last_used_at,
           coalesce(person.display_name, agent.name), person.enrolled_at,
           case when person.id is not null then person_signed_in_at(person) end, agent.owner_person_id,
           coalesce(person.disabled_at, agent.disabled_at) is not null,
           owner.disabled_at is not null or delegator.disabled_at is not null,
           (select coalesce(jsonb_agg(jsonb_build_object('role', held.role,
                     'granted_at', floor(extract(epoch from held.granted_at) * 1000)::bigint)), '[]')
              from role_grant held
             where held.tenant_id = c.tenant_id and held.person_id = c.person_id and held.revoked_at is null)
      from credential c
      left join person on person.tenant_id = c.tenant_id and person.id = c.person_id
      left join agent on agent.tenant_id = c.tenant_id and agent.id = c.agent_id
      left join person owner on owner.tenant_id = agent.tenant_id and owner.id = agent.owner_person_id
      left join person delegator on delegator.tenant_id = c.tenant_id and delegator.id = c.delegated_by
     where c.tenant_id = located.tenant_id and c.id = located.id;
  -- The rows were read by now; the caller's transaction goes on as it was.
  perform set_config('app.tenant_id', before, true);
end $$;

comment on function credential_standing(bytea) is
  'The credential with this digest and the standing of those behind it, read in its own tenant with the rights of the caller.';

create function person_signed_in_at(p person) returns timestamptz
  language sql stable
  return case
    when exists (select from external_identity i join issuer on issuer.tenant_id = i.tenant_id and issuer.id = i.issuer_id
                  where i.tenant_id = p.tenant_id and i.person_id = p.id and issuer.disabled_at is null)
      then p.signed_in_at
    when exists (select from sign_in_settings s where s.tenant_id = p.tenant_id and s.sign_in_required)
      then 'epoch'::timestamptz
  end;

comment on function person_signed_in_at(person) is
  'When a person last signed in at an issuer, for whom that counts: null for who has none and needs none, 1970 for who needs one and never did.';
