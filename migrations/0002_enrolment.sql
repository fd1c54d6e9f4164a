-- How a person comes by their first credential, and when they last did.

alter table person add column enrolled_at timestamptz;
alter table person add constraint person_enrolled_at_check check (enrolled_at >= created_at);

comment on column person.enrolled_at is 'When they last exchanged an enrolment token; their roles count from then on only. Null before the first.';

create table enrolment (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  token_digest bytea not null,
  created_at timestamptz not null,
  created_by uuid,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint enrolment_pk primary key (tenant_id, id),
  -- Looked up before a tenant is known, by the digest of 256 random bits.
  constraint enrolment_token_digest_key unique (token_digest),
  constraint enrolment_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint enrolment_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint enrolment_token_digest_check check (octet_length(token_digest) = 32),
  constraint enrolment_expires_at_check check (expires_at > created_at),
  constraint enrolment_used_at_check check (used_at >= created_at and used_at < expires_at)
);
create index enrolment_person_idx on enrolment (tenant_id, person_id);
select countersign_protect('enrolment');
select countersign_system_reads('enrolment');

comment on table enrolment is 'A one-time token by which a person gets their own credential, so that nobody else ever holds it.';
comment on column enrolment.tenant_id is 'The tenant it belongs to.';
comment on column enrolment.id is 'UUIDv7.';
comment on column enrolment.person_id is 'Whom it enrols.';
comment on column enrolment.token_digest is 'SHA-256 of the token.';
comment on column enrolment.created_at is 'When it was issued.';
comment on column enrolment.created_by is 'Who issued it; null for the first admin''s, which the bootstrap made.';
comment on column enrolment.expires_at is 'From when it is refused.';
comment on column enrolment.used_at is 'When it was exchanged; it works once.';

create function enrolment_by_digest(wanted bytea) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select enrolment.tenant_id, enrolment.id from enrolment where enrolment.token_digest = wanted;
  end;
select countersign_system_function('enrolment_by_digest(bytea)');

comment on function enrolment_by_digest(bytea) is
  'Whose enrolment has this digest. Whether it is still good is decided inside that tenant.';
