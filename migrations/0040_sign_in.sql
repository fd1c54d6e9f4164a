-- Signing in: the OpenID Connect issuers of a tenant, the people that they know, passkeys, and browser sessions.
--
-- A browser session is a credential, so that everything that names a credential can name it.

-- ---------------------------------------------------------------------------------------------------------------
-- Issuers
-- ---------------------------------------------------------------------------------------------------------------

create table sign_in_settings (
  tenant_id uuid not null,
  revision integer not null,
  reauthenticate_after_minutes integer not null,
  sign_in_required boolean not null,
  sign_in_required_since timestamptz,
  browser_session_minutes integer not null default 720
    constraint sign_in_settings_browser_session_check check (browser_session_minutes between 15 and 720),
  browser_session_idle_minutes integer not null default 60
    constraint sign_in_settings_browser_session_idle_check check (browser_session_idle_minutes between 5 and 60),
  dormant_after_days integer not null default 90
    constraint sign_in_settings_dormant_check check (dormant_after_days between 7 and 365),
  updated_at timestamptz not null,
  updated_by uuid not null,
  constraint sign_in_settings_pk primary key (tenant_id),
  constraint sign_in_settings_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint sign_in_settings_updated_by_fk foreign key (tenant_id, updated_by) references person (tenant_id, id),
  constraint sign_in_settings_revision_check check (revision >= 1),
  constraint sign_in_settings_reauthenticate_check check (reauthenticate_after_minutes between 5 and 43200),
  constraint sign_in_settings_required_since_check check (sign_in_required = (sign_in_required_since is not null))
);

comment on table sign_in_settings is 'The rules of sign-in of a tenant; no row before the first change.';
comment on column sign_in_settings.tenant_id is 'The tenant it belongs to.';
comment on column sign_in_settings.revision is 'Counts changes of the settings and issuers together, from 1; for ETag.';
comment on column sign_in_settings.reauthenticate_after_minutes is 'How old a sign-in may be for a review or an administrative action.';
comment on column sign_in_settings.sign_in_required is 'Whether also those who never signed in at an issuer have to, before they review or administer.';
comment on column sign_in_settings.sign_in_required_since is 'Since when issuers are the only way in: a link of the operator counts if it was used later. Null if they are not.';
comment on column sign_in_settings.browser_session_minutes is 'When a browser session is over however much it is used.';
comment on column sign_in_settings.browser_session_idle_minutes is 'How long a browser session may rest.';
comment on column sign_in_settings.dormant_after_days is 'A person without an issuer cannot review after so many days without a sign-in.';
comment on column sign_in_settings.updated_at is 'When it was last changed.';
comment on column sign_in_settings.updated_by is 'The person who changed it last.';

select countersign_protect('sign_in_settings');
select countersign_changes_only('sign_in_settings',
  'revision', 'reauthenticate_after_minutes', 'sign_in_required', 'browser_session_minutes', 'browser_session_idle_minutes',
  'updated_at', 'updated_by', 'dormant_after_days', 'sign_in_required_since');

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
  seal text not null constraint issuer_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
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

comment on table issuer is 'An OpenID Connect issuer that people of a tenant sign in at. Taken out of service, never deleted: identities name it.';
comment on column issuer.tenant_id is 'The tenant it belongs to.';
comment on column issuer.id is 'UUIDv7.';
comment on column issuer.name is 'Short name for addresses; unique among those in service.';
comment on column issuer.display_name is 'Name as people read it.';
comment on column issuer.issuer_url is 'Its issuer identifier, exactly as its tokens spell it.';
comment on column issuer.client_id is 'The client that Countersign is there.';
comment on column issuer.client_secret is 'The secret of the tenant that holds the client secret, as name@version; null for a public client.';
comment on column issuer.algorithms is 'Signature algorithms its tokens may have.';
comment on column issuer.extra_scopes is 'Asked for besides openid, profile and email.';
comment on column issuer.roles_claim is 'The claim that says which groups somebody is in.';
comment on column issuer.role_mappings is 'Array of {value, role}: people with the value in the claim hold the role.';
comment on column issuer.provision is 'People who become persons here at their first sign-in: mapped (with a role), anybody, or nobody.';
comment on column issuer.link_by_verified_email is 'Whether a first sign-in with the verified address of a person who is there is theirs.';
comment on column issuer.bearer_scopes is 'Permitted uses of an access token of this issuer; empty refuses them.';
comment on column issuer.created_at is 'When it was first named.';
comment on column issuer.updated_at is 'When it was last changed.';
comment on column issuer.disabled_at is 'Since when it takes no sign-ins; null while it does.';
comment on column issuer.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('issuer');
select countersign_changes_only('issuer',
  'name', 'display_name', 'client_id', 'client_secret', 'algorithms', 'extra_scopes', 'roles_claim', 'role_mappings',
  'provision', 'link_by_verified_email', 'bearer_scopes', 'updated_at', 'disabled_at', 'seal');
-- An issuer that is written again has another seal.

create table issuer_standing (
  tenant_id uuid not null,
  id uuid not null,
  issuer_id uuid not null,
  how text not null,
  person_id uuid not null,
  since timestamptz not null,
  seal text not null constraint issuer_standing_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint issuer_standing_pk primary key (tenant_id, id),
  constraint issuer_standing_issuer_fk foreign key (tenant_id, issuer_id) references issuer (tenant_id, id),
  constraint issuer_standing_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint issuer_standing_how_check check (how in ('alone', 'two_people', 'confirmed'))
);
create index issuer_standing_issuer_idx on issuer_standing (tenant_id, issuer_id, since desc, id desc);

comment on table issuer_standing is 'The people who put an issuer in force; the last row counts. An issuer that one hand put in force alone makes no person known. Insert-only.';
comment on column issuer_standing.tenant_id is 'The tenant it belongs to.';
comment on column issuer_standing.id is 'UUIDv7.';
comment on column issuer_standing.issuer_id is 'The issuer.';
comment on column issuer_standing.how is 'alone: no person of another hand could confirm it; two_people: a confirmed change; confirmed: later, by a person of another hand.';
comment on column issuer_standing.person_id is 'The person who put it in force, or confirmed it.';
comment on column issuer_standing.since is 'Since when.';
comment on column issuer_standing.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('issuer_standing');
select countersign_append_only('issuer_standing');

alter table role_assignment add constraint role_assignment_assigned_by_issuer_fk foreign key (tenant_id, assigned_by_issuer) references issuer (tenant_id, id);

alter table role_assignment add constraint role_assignment_revoked_by_issuer_fk foreign key (tenant_id, revoked_by_issuer) references issuer (tenant_id, id);

-- ---------------------------------------------------------------------------------------------------------------
-- The people behind subjects of an issuer
-- ---------------------------------------------------------------------------------------------------------------

create table external_identity (
  tenant_id uuid not null,
  id uuid not null,
  issuer_id uuid not null,
  subject text not null,
  person_id uuid not null,
  bearer_credential_id uuid,
  created_at timestamptz not null,
  signed_in_at timestamptz not null,
  seal text not null constraint external_identity_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
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

comment on table external_identity is 'The person behind a subject of an issuer. One person has at most one at each issuer.';
comment on column external_identity.tenant_id is 'The tenant it belongs to.';
comment on column external_identity.id is 'UUIDv7.';
comment on column external_identity.issuer_id is 'At which issuer.';
comment on column external_identity.subject is 'The issuer''s identifier of them (sub), which never changes hands; an e-mail address may.';
comment on column external_identity.person_id is 'That person.';
comment on column external_identity.bearer_credential_id is 'The credential that stands for the access tokens of this identity; null before the first.';
comment on column external_identity.created_at is 'When it was first seen.';
comment on column external_identity.signed_in_at is 'When it was last seen at a sign-in.';
comment on column external_identity.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('external_identity');
select countersign_changes_only('external_identity', 'bearer_credential_id', 'signed_in_at');

-- ---------------------------------------------------------------------------------------------------------------
-- Sign-ins under way
-- ---------------------------------------------------------------------------------------------------------------

-- The state parameter of a sign-in carries it, sealed under the keyring. Only a browser that comes back leaves a row, so that
-- each sign-in serves one return.
create table sign_in_transaction (
  tenant_id uuid not null,
  id uuid not null,
  issuer_id uuid not null,
  state_digest bytea not null,
  browser_digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint sign_in_transaction_pk primary key (tenant_id, id),
  -- Looked up before a tenant is known, by the digest of 256 random bits.
  constraint sign_in_transaction_state_digest_key unique (state_digest),
  constraint sign_in_transaction_issuer_fk foreign key (tenant_id, issuer_id) references issuer (tenant_id, id),
  constraint sign_in_transaction_state_digest_check check (octet_length(state_digest) = 32),
  constraint sign_in_transaction_browser_digest_check check (octet_length(browser_digest) = 32)
);
create index sign_in_transaction_expires_at_idx on sign_in_transaction (tenant_id, expires_at);
create index sign_in_transaction_issuer_idx on sign_in_transaction (tenant_id, issuer_id);

comment on table sign_in_transaction is 'A browser that came back from an issuer, once for each sign-in; forgotten soon after the sign-in expired.';
comment on column sign_in_transaction.tenant_id is 'The tenant it belongs to.';
comment on column sign_in_transaction.id is 'The UUIDv7 by which the sealed state names its sign-in: another return of the same is refused.';
comment on column sign_in_transaction.issuer_id is 'The issuer that the browser had been sent to.';
comment on column sign_in_transaction.state_digest is 'HMAC-SHA-256, under a key of the keyring, of the state parameter it has to come back with.';
comment on column sign_in_transaction.browser_digest is 'HMAC-SHA-256, under a key of the keyring, of the cookie of the browser that was sent.';
comment on column sign_in_transaction.created_at is 'When it came back.';
comment on column sign_in_transaction.expires_at is 'From when coming back is too late.';

select countersign_protect('sign_in_transaction');
select countersign_system_reads('sign_in_transaction');
revoke update on sign_in_transaction from countersign_app;

create table passkey_sign_in (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  challenge_digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint passkey_sign_in_pk primary key (tenant_id, id),
  constraint passkey_sign_in_challenge_key unique (tenant_id, challenge_digest),
  constraint passkey_sign_in_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint passkey_sign_in_challenge_digest_check check (octet_length(challenge_digest) = 32),
  constraint passkey_sign_in_expires_at_check check (expires_at > created_at)
);
create index passkey_sign_in_expires_idx on passkey_sign_in (tenant_id, expires_at);
create index passkey_sign_in_person_idx on passkey_sign_in (tenant_id, person_id);

comment on table passkey_sign_in is 'Challenges that a passkey has answered to sign in, so that none is answered twice; forgotten once they have expired.';
comment on column passkey_sign_in.tenant_id is 'The tenant it belongs to.';
comment on column passkey_sign_in.id is 'UUIDv7.';
comment on column passkey_sign_in.person_id is 'The person who answered.';
comment on column passkey_sign_in.challenge_digest is 'SHA-256 of the challenge.';
comment on column passkey_sign_in.created_at is 'When it was answered.';
comment on column passkey_sign_in.expires_at is 'From when the challenge itself is refused.';

select countersign_protect('passkey_sign_in');
revoke update on passkey_sign_in from countersign_app;

-- ---------------------------------------------------------------------------------------------------------------
-- Browser sessions
-- ---------------------------------------------------------------------------------------------------------------

create table browser_session (
  tenant_id uuid not null,
  id uuid not null,
  identity_id uuid,
  factor_id uuid,
  csrf_token text not null,
  user_agent text not null,
  address text not null,
  authenticated_at timestamptz not null,
  previous_digest bytea,
  previous_seal text,
  rotated_at timestamptz,
  id_token_key_id text,
  id_token_nonce bytea,
  id_token_ciphertext bytea,
  created_at timestamptz not null,
  constraint browser_session_pk primary key (tenant_id, id),
  -- Looked up before a tenant is known. For a moment a browser still uses the token from before a rotation.
  constraint browser_session_previous_digest_key unique (previous_digest),
  constraint browser_session_credential_fk foreign key (tenant_id, id) references credential (tenant_id, id),
  constraint browser_session_identity_fk foreign key (tenant_id, identity_id) references external_identity (tenant_id, id),
  constraint browser_session_csrf_token_check check (char_length(csrf_token) >= 43),
  constraint browser_session_user_agent_check check (char_length(user_agent) <= 500),
  constraint browser_session_previous_digest_check check (octet_length(previous_digest) = 32),
  constraint browser_session_rotated_check check ((previous_digest is null) = (rotated_at is null)),
  constraint browser_session_id_token_check check (
    (id_token_key_id is null) = (id_token_ciphertext is null) and (id_token_nonce is null) = (id_token_ciphertext is null)),
  constraint browser_session_factor_fk foreign key (tenant_id, factor_id) references factor (tenant_id, id),
  constraint browser_session_way_check check (num_nonnulls(identity_id, factor_id) = 1),
  constraint browser_session_previous_seal_check check ((previous_seal is null) = (previous_digest is null)),
  constraint browser_session_address_check check (char_length(address) between 1 and 64)
);
create index browser_session_identity_idx on browser_session (tenant_id, identity_id);
create index browser_session_factor_idx on browser_session (tenant_id, factor_id) where factor_id is not null;

comment on table browser_session is 'Facts of a browser session beyond its credential, which holds its token, its limits and its end.';
comment on column browser_session.tenant_id is 'The tenant it belongs to.';
comment on column browser_session.id is 'The credential it is.';
comment on column browser_session.identity_id is 'The identity at the issuer that signed in; null for a passkey of ours.';
comment on column browser_session.factor_id is 'The passkey that opened it; null for a sign-in at an issuer.';
comment on column browser_session.csrf_token is 'The token that a changing request has to carry besides the cookie; worthless without it.';
comment on column browser_session.user_agent is 'How the browser called itself.';
comment on column browser_session.address is 'The network address that it was opened from.';
comment on column browser_session.authenticated_at is 'When they proved to the issuer who they are, by its word.';
comment on column browser_session.previous_digest is 'The digest of the token before the last rotation; accepted for some seconds after it.';
comment on column browser_session.previous_seal is 'The credential''s seal from before the last rotation, for the token of before.';
comment on column browser_session.rotated_at is 'When it was last rotated; null before the first time.';
comment on column browser_session.id_token_key_id is 'The master key that encrypts the ID token; null if none was kept.';
comment on column browser_session.id_token_nonce is '96 random bits.';
comment on column browser_session.id_token_ciphertext is 'The ID token, which signing out at the issuer asks for.';
comment on column browser_session.created_at is 'When it was opened.';

select countersign_protect('browser_session');
select countersign_system_reads('browser_session');
select countersign_changes_only('browser_session', 'previous_digest', 'rotated_at', 'previous_seal');

-- A few requests may be under way with the old token while a browser learns the new one.
--
-- The functions below serve the identity library too. They read tables of this file, and so stand here.
create function credential_by_digest(wanted bytea) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select credential.tenant_id, credential.id from credential where credential.token_digest = wanted
    union all
    select s.tenant_id, s.id from browser_session s
     where s.previous_digest = wanted and s.rotated_at > clock_timestamp() - interval '10 seconds';
  end;
select countersign_system_function('credential_by_digest(bytea)');
comment on function credential_by_digest(bytea) is
  'The credential with this digest. The decision whether it is still good is taken inside its tenant.';

-- ---------------------------------------------------------------------------------------------------------------
-- The standing of people and their credentials
-- ---------------------------------------------------------------------------------------------------------------

-- A passkey's sign-in ages too. The operator's link counts even if issuers are the only way in.
create function person_signed_in_at(p person) returns timestamptz
  language sql stable
  return case
    when exists (select from external_identity i join issuer on issuer.tenant_id = i.tenant_id and issuer.id = i.issuer_id
                  where i.tenant_id = p.tenant_id and i.person_id = p.id and issuer.disabled_at is null)
      then greatest(p.signed_in_at, p.operator_signed_in_at)
    when exists (select from sign_in_settings s where s.tenant_id = p.tenant_id and s.sign_in_required)
      then coalesce(p.operator_signed_in_at, '-infinity')
    else greatest(p.passkey_signed_in_at, p.operator_signed_in_at)
  end;
comment on function person_signed_in_at(person) is 'The last sign-in of a person that counts. It is at an issuer if one knows the person, else by a passkey of ours. Null if the person has neither and needs none; minus infinity if the person needs an issuer and was never there.';

-- A tenant needs an admin with a credential that opens something now.
create function person_can_come_in(p person) returns boolean
  language sql stable
  return p.disabled_at is null and (
    exists (select from external_identity i join issuer on issuer.tenant_id = i.tenant_id and issuer.id = i.issuer_id
             where i.tenant_id = p.tenant_id and i.person_id = p.id and issuer.disabled_at is null)
    or not exists (select from sign_in_settings s where s.tenant_id = p.tenant_id and s.sign_in_required) and (
      exists (select from credential c where c.tenant_id = p.tenant_id and c.person_id = p.id and c.kind = 'person_token'
               and 'admin' = any (c.scopes) and c.revoked_at is null and c.expires_at > clock_timestamp())
      or exists (select from factor f where f.tenant_id = p.tenant_id and f.person_id = p.id and f.kind = 'passkey' and f.state = 'active')
        and greatest(p.enrolled_at, p.signed_in_at, p.passkey_signed_in_at, p.operator_signed_in_at) > clock_timestamp()
          - interval '1 day' * coalesce((select s.dormant_after_days from sign_in_settings s where s.tenant_id = p.tenant_id), 90)));
comment on function person_can_come_in(person) is
  'Whether a person can come in now. They come in at an issuer in service or by a passkey of ours that is not dormant. Or they have a live token that may administer.';

-- One statement says whether a person's sign-in is recent enough, inside a transaction or outside.
create function sign_in_standing(reading uuid, wanted_person uuid)
  returns table (now timestamptz, signed_in_at timestamptz, came_in_at timestamptz, at_issuer boolean,
                 reauthenticate_after_minutes integer, dormant_after_days integer)
  language plpgsql as $$
declare
  before constant text := coalesce(current_setting('app.tenant_id', true), '');
begin
  perform set_config('app.tenant_id', reading::text, true);
  return query
    select clock_timestamp(), person_signed_in_at(person),
           greatest(person.enrolled_at, person.signed_in_at, person.passkey_signed_in_at, person.operator_signed_in_at),
           exists (select from external_identity known
                     join issuer on issuer.tenant_id = known.tenant_id and issuer.id = known.issuer_id and issuer.disabled_at is null
                    where known.tenant_id = person.tenant_id and known.person_id = person.id),
           s.reauthenticate_after_minutes, s.dormant_after_days
      from person left join sign_in_settings s on s.tenant_id = person.tenant_id
     where person.tenant_id = reading and person.id = wanted_person;
  -- The rows were read by now; the caller's transaction goes on as it was.
  perform set_config('app.tenant_id', before, true);
end $$;
comment on function sign_in_standing(uuid, uuid) is
  'When a person of the tenant last signed in and came in, and how long that counts there; with the rights of the caller, under row-level security.';

create function credential_outside_issuers(c credential, p person) returns boolean
  language sql stable
  return c.kind in ('person_token', 'browser_session', 'slack_link') and exists (
    select from sign_in_settings s
     where s.tenant_id = c.tenant_id and s.sign_in_required
       and not exists (
         select from external_identity i join issuer on issuer.tenant_id = i.tenant_id and issuer.id = i.issuer_id
          where i.tenant_id = c.tenant_id and i.person_id = c.person_id and issuer.disabled_at is null
            and (c.kind <> 'browser_session' or i.id = (
              select b.identity_id from browser_session b where b.tenant_id = c.tenant_id and b.id = c.id)))
       -- The operator's way back, for as long as one sign-in counts.
       and not coalesce(p.operator_signed_in_at >= s.sign_in_required_since
         and p.operator_signed_in_at > clock_timestamp() - interval '1 minute' * s.reauthenticate_after_minutes, false));
comment on function credential_outside_issuers(credential, person) is 'Whether a credential of a person opens nothing. That is so if issuers are the only way in and the person holds it from another way.';

create function credential_standing(wanted bytea)
  returns table (tenant_id uuid, id uuid, kind text, person_id uuid, agent_id uuid, delegated_by uuid,
                 scopes text[], now timestamptz, created_at timestamptz, expires_at timestamptz, revoked_at timestamptz,
                 last_used_at timestamptz, display_name text, enrolled_at timestamptz, signed_in_at timestamptz,
                 owner_person_id uuid, holder_disabled boolean, backer_disabled boolean, roles jsonb,
                 browser_session_idle_minutes integer, seal text, outside_issuers boolean)
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
    select c.tenant_id, c.id, c.kind, c.person_id, c.agent_id, c.delegated_by, c.scopes,
           clock_timestamp(), c.created_at, c.expires_at, c.revoked_at, c.last_used_at,
           coalesce(person.display_name, agent.name), person.enrolled_at,
           case when person.id is not null then person_signed_in_at(person) end, agent.owner_person_id,
           coalesce(person.disabled_at, agent.disabled_at) is not null,
           owner.disabled_at is not null or delegator.disabled_at is not null,
           (select coalesce(jsonb_agg(jsonb_build_object('id', held.id, 'role', held.role,
                     'assigned_at', held.assigned_at,
                     'assigned_by', held.assigned_by, 'assigned_by_issuer', held.assigned_by_issuer, 'seal', held.seal)), '[]')
              from role_assignment held
             where held.tenant_id = c.tenant_id and held.person_id = c.person_id and held.revoked_at is null),
           case when c.kind = 'browser_session'
             then (select s.browser_session_idle_minutes from sign_in_settings s where s.tenant_id = c.tenant_id) end,
           case when c.token_digest = wanted then c.seal
             else (select b.previous_seal from browser_session b
                    where b.tenant_id = c.tenant_id and b.id = c.id and b.previous_digest = wanted) end,
           -- An agent's credential is not asked about issuers: that made each of its calls a tenth slower.
           c.person_id is not null and credential_outside_issuers(c, person)
      from credential c
      left join person on person.tenant_id = c.tenant_id and person.id = c.person_id
      left join agent on agent.tenant_id = c.tenant_id and agent.id = c.agent_id
      left join person owner on owner.tenant_id = agent.tenant_id and owner.id = agent.owner_person_id
      left join person delegator on delegator.tenant_id = c.tenant_id and delegator.id = c.delegated_by
     where c.tenant_id = located.tenant_id and c.id = located.id;
  -- The rows were read by now; the caller's transaction goes on as it was.
  perform set_config('app.tenant_id', before, true);
end $$;
comment on function credential_standing(bytea) is 'The credential with this digest and the standing of those behind it. Read in its own tenant with the rights of the caller.';
