-- Signing in with a passkey of ours, for people whom no issuer knows. The passkey is a factor that is there anyway; what is
-- new is when somebody came in by one, the answers that opened a session, and which way each session was opened.

alter table person
  add column passkey_signed_in_at timestamptz,
  add column operator_signed_in_at timestamptz;
comment on column person.passkey_signed_in_at is 'When they last came in by a passkey of ours; null before the first time.';
comment on column person.operator_signed_in_at is 'When they last came in by a link that the operator printed on the server; null before the first time.';

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
select countersign_protect('passkey_sign_in');
revoke update on passkey_sign_in from countersign_app;
comment on table passkey_sign_in is 'Challenges that a passkey has answered to sign in, so that none is answered twice; forgotten once they have expired.';
comment on column passkey_sign_in.tenant_id is 'The tenant it belongs to.';
comment on column passkey_sign_in.id is 'UUIDv7.';
comment on column passkey_sign_in.person_id is 'Who answered.';
comment on column passkey_sign_in.challenge_digest is 'SHA-256 of the challenge.';
comment on column passkey_sign_in.created_at is 'When it was answered.';
comment on column passkey_sign_in.expires_at is 'From when the challenge itself is refused.';

-- The credential id and the person that an authenticator shows; ids of passkeys are unique in a tenant only.
create index factor_passkey_lookup_idx on factor (passkey_id) where kind = 'passkey' and state = 'active';
create function passkey_holder(wanted text, person uuid) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select f.tenant_id, f.id from factor f
     where f.passkey_id = wanted and f.person_id = person and f.kind = 'passkey' and f.state = 'active';
  end;
select countersign_system_reads('factor');
select countersign_system_function('passkey_holder(text, uuid)');
comment on function passkey_holder(text, uuid) is
  'Whose passkey somebody who is not signed in yet shows. Whether it opens anything is decided inside that tenant.';

alter table browser_session
  alter column identity_id drop not null,
  add column factor_id uuid,
  add constraint browser_session_factor_fk foreign key (tenant_id, factor_id) references factor (tenant_id, id),
  add constraint browser_session_way_check check (num_nonnulls(identity_id, factor_id) = 1);
create index browser_session_factor_idx on browser_session (tenant_id, factor_id) where factor_id is not null;
comment on column browser_session.identity_id is 'Who signed in, at which issuer; null for a passkey of ours.';
comment on column browser_session.factor_id is 'The passkey that opened it; null for a sign-in at an issuer.';

-- As before, and: passkeys of ours age, too, and an operator's link counts even where only an issuer does.
create or replace function person_signed_in_at(p person) returns timestamptz
  language sql stable
  return case
    when exists (select from external_identity i join issuer on issuer.tenant_id = i.tenant_id and issuer.id = i.issuer_id
                  where i.tenant_id = p.tenant_id and i.person_id = p.id and issuer.disabled_at is null)
      then greatest(p.signed_in_at, p.operator_signed_in_at)
    when exists (select from sign_in_settings s where s.tenant_id = p.tenant_id and s.sign_in_required)
      then coalesce(p.operator_signed_in_at, 'epoch'::timestamptz)
    else greatest(p.passkey_signed_in_at, p.operator_signed_in_at)
  end;

comment on function person_signed_in_at(person) is
  'When a person last signed in, for whom that counts: at an issuer where one knows them, else by a passkey of ours; null for who has neither and needs none, 1970 for who needs an issuer and never was there.';

-- Nobody takes an account of ours away from somebody who has left: one that nobody came in by for long stops reviewing.
alter table sign_in_settings
  add column dormant_after_days integer not null default 90
    constraint sign_in_settings_dormant_check check (dormant_after_days between 7 and 365);
comment on column sign_in_settings.dormant_after_days is 'After so many days without coming in somebody whom no issuer knows cannot review.';
grant update (dormant_after_days) on sign_in_settings to countersign_app;

-- Who could administer a tenant if everybody else left: somebody with a credential that opens something now.
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
  'Whether a person can come in now: at an issuer in service, by a passkey of ours that is not dormant, or with a live token that may administer.';
