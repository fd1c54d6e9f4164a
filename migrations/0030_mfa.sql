-- Second factors, and the operations that they prove. A factor's lifecycle (libs/people/mfa/src/domain/factor-transitions.ts
-- holds the same rows):
--
--   (new) ──offer──▶ pending ──confirm──▶ active ──remove──▶ removed
--     │                 └──remove──▶ removed
--     └──register──▶ active
--
-- A step-up's lifecycle (libs/people/mfa/src/domain/step-up-transitions.ts):
--
--   (new) ──start──▶ open ──prove──▶ proved ──use──▶ used
--
-- Whether one has expired is read from the clock.

-- ---------------------------------------------------------------------------------------------------------------
-- Factors
-- ---------------------------------------------------------------------------------------------------------------

create table factor_state (
  state text not null,
  constraint factor_state_pk primary key (state)
);
insert into factor_state values ('pending'), ('active'), ('removed');
comment on table factor_state is 'Global: the states of a second factor.';
comment on column factor_state.state is 'The state''s name.';
select countersign_lookup('factor_state');

create table factor_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint factor_transition_to_fk references factor_state,
  constraint factor_transition_pk primary key (from_state, event)
);
insert into factor_transition values
  ('', 'offer', 'pending'),
  ('', 'register', 'active'),
  ('pending', 'confirm', 'active'),
  ('pending', 'remove', 'removed'),
  ('active', 'remove', 'removed');

comment on table factor_transition is 'Global: the legal changes of a factor''s state; every other is refused (CS002).';
comment on column factor_transition.from_state is 'The state before; empty for creation.';
comment on column factor_transition.event is 'The event.';
comment on column factor_transition.to_state is 'The state after.';

create table factor (
  tenant_id uuid not null constraint factor_tenant_fk references tenant (id),
  id uuid not null,
  person_id uuid not null,
  kind text not null constraint factor_kind_check check (kind in ('totp', 'passkey')),
  state text not null constraint factor_state_fk references factor_state,
  name text not null constraint factor_name_check check (char_length(name) between 1 and 100),
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_used_at timestamptz,
  removed_at timestamptz,
  key_id text,
  nonce bytea,
  ciphertext bytea,
  last_step bigint,
  passkey_id text,
  public_key bytea,
  counter bigint,
  transports text[],
  backed_up boolean,
  relying_party_id text,
  origin text,
  seal text not null constraint factor_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint factor_pk primary key (tenant_id, id),
  constraint factor_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint factor_confirmed_check check (state <> 'active' or confirmed_at is not null),
  constraint factor_removed_check check ((state = 'removed') = (removed_at is not null)),
  constraint factor_secret_check check (
    num_nulls(key_id, nonce, ciphertext) = case when kind = 'totp' and state <> 'removed' then 0 else 3 end),
  constraint factor_passkey_check check (
    num_nulls(passkey_id, public_key, counter, transports, backed_up, relying_party_id, origin)
      = case when kind = 'passkey' then 0 else 7 end)
);
create unique index factor_totp_unique on factor (tenant_id, person_id, state) where kind = 'totp' and state <> 'removed';
create unique index factor_passkey_unique on factor (tenant_id, passkey_id) where kind = 'passkey';
create index factor_person_idx on factor (tenant_id, person_id, created_at, id);
-- An authenticator shows the credential id and the person. Ids of passkeys are unique in a tenant only.
create index factor_passkey_lookup_idx on factor (passkey_id) where kind = 'passkey' and state = 'active';

comment on table factor is 'A second factor of a person: an authenticator app or a passkey.';
comment on column factor.tenant_id is 'The tenant it belongs to.';
comment on column factor.id is 'UUIDv7.';
comment on column factor.person_id is 'The person that it belongs to.';
comment on column factor.kind is 'totp (RFC 6238) or passkey (WebAuthn).';
comment on column factor.state is 'Its state in the lifecycle; only an active factor proves anything.';
comment on column factor.name is 'The person''s name for it.';
comment on column factor.created_at is 'When it was enrolled.';
comment on column factor.confirmed_at is 'When it was first proved to work.';
comment on column factor.last_used_at is 'When it last proved something.';
comment on column factor.removed_at is 'When it was removed, by the person or an admin.';
comment on column factor.key_id is 'The master key under which the secret of a totp factor is encrypted; gone once removed.';
comment on column factor.nonce is 'AES-GCM''s.';
comment on column factor.ciphertext is 'The encrypted secret and its tag.';
comment on column factor.last_step is 'The last time step with an accepted code: no code of it or of an earlier step counts again.';
comment on column factor.passkey_id is 'The credential id of a passkey, base64url.';
comment on column factor.public_key is 'The passkey''s COSE public key.';
comment on column factor.counter is 'The passkey''s signature counter when it was last used; it only ever rises.';
comment on column factor.transports is 'How browsers reach the passkey.';
comment on column factor.backed_up is 'Whether the passkey was synchronised to other devices when it was last used.';
comment on column factor.relying_party_id is 'The host name that a passkey was registered for; null for other kinds.';
comment on column factor.origin is 'The origin of the page that registered a passkey; null as above.';
comment on column factor.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('factor');
select countersign_state_machine('factor', 'factor_transition');
-- A factor that has proved something stays on record.
select countersign_changes_only('factor',
  'state', 'confirmed_at', 'last_used_at', 'removed_at', 'key_id', 'nonce', 'ciphertext', 'last_step', 'counter',
  'backed_up');
select countersign_system_reads('factor');
create trigger factor_set_once before update on factor
  for each row execute function countersign_refuse_unset('confirmed_at', 'removed_at');

create function passkey_holder(wanted text, person uuid) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select f.tenant_id, f.id from factor f
     where f.passkey_id = wanted and f.person_id = person and f.kind = 'passkey' and f.state = 'active';
  end;
select countersign_system_function('passkey_holder(text, uuid)');
comment on function passkey_holder(text, uuid) is
  'The passkey that somebody shows before a sign-in. The decision whether it opens anything is taken inside its tenant.';

create table recovery_code (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  digest bytea not null constraint recovery_code_digest_check check (octet_length(digest) = 32),
  created_at timestamptz not null,
  used_at timestamptz,
  withdrawn_at timestamptz,
  constraint recovery_code_pk primary key (tenant_id, id),
  constraint recovery_code_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id)
);
create index recovery_code_unused_idx on recovery_code (tenant_id, person_id) where used_at is null and withdrawn_at is null;

comment on table recovery_code is 'Codes that each stand in for a lost factor once. Shown once; only their digests are kept.';
comment on column recovery_code.tenant_id is 'The tenant it belongs to.';
comment on column recovery_code.id is 'UUIDv7.';
comment on column recovery_code.person_id is 'The person that it belongs to.';
comment on column recovery_code.digest is 'HMAC-SHA-256, under a key of the keyring, of the code and its person; the code is 100 random bits.';
comment on column recovery_code.created_at is 'When it was shown.';
comment on column recovery_code.used_at is 'When it proved something.';
comment on column recovery_code.withdrawn_at is 'When new ones took its place, or the last factor went.';

select countersign_protect('recovery_code');
select countersign_changes_only('recovery_code', 'used_at', 'withdrawn_at');
create trigger recovery_code_set_once before update on recovery_code
  for each row execute function countersign_refuse_unset('used_at', 'withdrawn_at');

create table factor_lockout (
  tenant_id uuid not null,
  person_id uuid not null,
  failures integer not null constraint factor_lockout_failures_check check (failures >= 0),
  locked_until timestamptz,
  constraint factor_lockout_pk primary key (tenant_id, person_id),
  constraint factor_lockout_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id)
);

comment on table factor_lockout is 'Wrong codes of a person since the last right one. Its row is the lock under which their factors change.';
comment on column factor_lockout.tenant_id is 'The tenant it belongs to.';
comment on column factor_lockout.person_id is 'The person with the wrong codes.';
comment on column factor_lockout.failures is 'How many wrong ones in a row.';
comment on column factor_lockout.locked_until is 'Until when no code is looked at.';

select countersign_protect('factor_lockout');
revoke delete on factor_lockout from countersign_app;

create table passkey_registration (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  challenge text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint passkey_registration_pk primary key (tenant_id, id),
  constraint passkey_registration_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id)
);
create index passkey_registration_person_idx on passkey_registration (tenant_id, person_id, expires_at);

comment on table passkey_registration is 'Challenges for new passkeys; a row goes with the first answer to it, right or wrong.';
comment on column passkey_registration.tenant_id is 'The tenant it belongs to.';
comment on column passkey_registration.id is 'UUIDv7.';
comment on column passkey_registration.person_id is 'The person who registers the passkey.';
comment on column passkey_registration.challenge is 'The challenge that the authenticator has to answer, base64url.';
comment on column passkey_registration.created_at is 'When it was given out.';
comment on column passkey_registration.expires_at is 'Until when an answer counts.';

select countersign_protect('passkey_registration');
revoke update on passkey_registration from countersign_app;

-- ---------------------------------------------------------------------------------------------------------------
-- Step-ups
-- ---------------------------------------------------------------------------------------------------------------

create table step_up_state (
  state text not null,
  constraint step_up_state_pk primary key (state)
);
insert into step_up_state values ('open'), ('proved'), ('used');
comment on table step_up_state is 'Global: the states of a step-up.';
comment on column step_up_state.state is 'The state''s name.';
select countersign_lookup('step_up_state');

create table step_up_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint step_up_transition_to_fk references step_up_state,
  constraint step_up_transition_pk primary key (from_state, event)
);
insert into step_up_transition values ('', 'start', 'open'), ('open', 'prove', 'proved'), ('proved', 'use', 'used');

comment on table step_up_transition is 'Global: the legal changes of a step-up''s state; every other is refused (CS002).';
comment on column step_up_transition.from_state is 'The state before; empty for creation.';
comment on column step_up_transition.event is 'The event.';
comment on column step_up_transition.to_state is 'The state after.';

create table step_up (
  tenant_id uuid not null constraint step_up_tenant_fk references tenant (id),
  id uuid not null,
  person_id uuid not null,
  credential_id uuid not null,
  state text not null constraint step_up_state_fk references step_up_state,
  operation jsonb not null,
  operation_digest text not null,
  challenge text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  method text constraint step_up_method_check check (method in ('passkey', 'totp', 'recovery_code')),
  factor_id uuid,
  proved_at timestamptz,
  proof_expires_at timestamptz,
  used_at timestamptz,
  nonce bytea not null constraint step_up_nonce_check check (octet_length(nonce) = 32),
  assertion jsonb,
  constraint step_up_pk primary key (tenant_id, id),
  constraint step_up_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint step_up_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint step_up_factor_fk foreign key (tenant_id, factor_id) references factor (tenant_id, id),
  constraint step_up_proved_check check (num_nulls(method, proved_at, proof_expires_at) = case when state = 'open' then 3 else 0 end),
  constraint step_up_factor_check check ((factor_id is not null) = (state <> 'open' and method <> 'recovery_code')),
  constraint step_up_used_check check ((state = 'used') = (used_at is not null)),
  constraint step_up_assertion_check check (assertion is null or (state <> 'open' and method = 'passkey'))
);
create index step_up_person_idx on step_up (tenant_id, person_id, expires_at) where state = 'open';

comment on table step_up is 'A person proves a second factor for one operation. One proof serves one operation once.';
comment on column step_up.tenant_id is 'The tenant it belongs to.';
comment on column step_up.id is 'UUIDv7.';
comment on column step_up.person_id is 'The person who steps up.';
comment on column step_up.credential_id is 'The credential it was asked for with.';
comment on column step_up.state is 'Its state in the lifecycle.';
comment on column step_up.operation is 'The operation that it proves: {kind, …}.';
comment on column step_up.operation_digest is 'Digest of person and operation, kind stepped-up-operation.';
comment on column step_up.challenge is 'The challenge that a passkey has to answer, base64url; gone with the first answer, right or wrong.';
comment on column step_up.created_at is 'When it was asked for.';
comment on column step_up.expires_at is 'Until when it can be proved.';
comment on column step_up.method is 'How it was proved.';
comment on column step_up.factor_id is 'With which factor; null for a recovery code.';
comment on column step_up.proved_at is 'When it was proved.';
comment on column step_up.proof_expires_at is 'Until when the proof counts.';
comment on column step_up.used_at is 'When the operation used it up.';
comment on column step_up.nonce is 'The random part of the challenge.';
comment on column step_up.assertion is 'The passkey''s answer, with its public key, its person and its audience: evidence of the operation. Null for other methods.';

select countersign_protect('step_up');
select countersign_state_machine('step_up', 'step_up_transition');
revoke update on step_up from countersign_app;
grant update (state, challenge, method, factor_id, proved_at, proof_expires_at, used_at) on step_up to countersign_app;
grant update (assertion) on step_up to countersign_app;

-- ---------------------------------------------------------------------------------------------------------------
-- Hosts of passkeys
-- ---------------------------------------------------------------------------------------------------------------

-- A passkey is made for one host name. When the public address changes, `countersign start` counts the passkeys that stop
-- working, and starts once the operator has accepted that.
create table accepted_host (
  host text not null,
  accepted_at timestamptz not null,
  constraint accepted_host_pk primary key (host, accepted_at),
  constraint accepted_host_host_check check (char_length(host) <= 253)
);

comment on table accepted_host is 'Global: host names for which the operator accepted that passkeys of other hosts stop working.';
comment on column accepted_host.host is 'The host name that passkeys are made for from then on. Empty for an address that none can be made for.';
comment on column accepted_host.accepted_at is 'When; passkeys that were made for another host later are counted anew.';

grant select, insert on accepted_host to countersign_app;
grant select on accepted_host to countersign_system;

create function passkeys_of_other_hosts(host_now text) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select f.tenant_id, f.id from factor f
     where f.kind = 'passkey' and f.state = 'active' and f.relying_party_id <> host_now
       and not exists (select from accepted_host a where a.host = host_now and a.accepted_at >= f.created_at);
  end;
select countersign_system_function('passkeys_of_other_hosts(text)');
comment on function passkeys_of_other_hosts(text) is
  'The active passkeys that do not work at this host, but those of which the operator accepted that before.';
