-- By what each person is known, and whose hand let them in. People who came in by tokens or links of one hand, and that hand,
-- share one seat until each is known otherwise (ADR 14; libs/identity/src/domain/seats.ts reads what is kept here).

-- ---------------------------------------------------------------------------------------------------------------
-- How people came in
-- ---------------------------------------------------------------------------------------------------------------

alter table enrolment add column channel text, add column voided_at timestamptz;
update enrolment set channel = case when created_by is null then 'bootstrap' else 'shown' end;
alter table enrolment alter column channel set not null;
alter table enrolment
  add constraint enrolment_channel_check check (channel in ('shown', 'mailed', 'operator', 'bootstrap')),
  -- The server alone made it, or a person did: no third way.
  add constraint enrolment_hand_check check ((created_by is null) = (channel in ('operator', 'bootstrap'))),
  add constraint enrolment_voided_at_check check (voided_at is null or voided_at >= created_at and used_at is null);
select countersign_changes_only('enrolment', 'used_at', 'voided_at');
create trigger enrolment_set_once before update on enrolment
  for each row execute function countersign_refuse_unset('used_at', 'voided_at');
create trigger enrolment_append_only before delete on enrolment
  for each row execute function countersign_refuse_change();
create trigger enrolment_no_truncate before truncate on enrolment
  for each statement execute function countersign_refuse_change();

comment on table enrolment is 'A one-time token by which a person gets their own credential. Never deleted: it is the history of how people came in.';
comment on column enrolment.channel is 'Who saw the secret: shown (to whoever made it), mailed (the server mailed it, nobody here saw it), operator (printed on the server), bootstrap (the first admin''s).';
comment on column enrolment.created_by is 'The person whose hand made it; null for those of the bootstrap and of the operator.';
comment on column enrolment.voided_at is 'Since when it opens nothing although it was never used; null while it may.';

-- ---------------------------------------------------------------------------------------------------------------
-- Vouching
-- ---------------------------------------------------------------------------------------------------------------

create table person_vouch (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  vouched_by uuid not null,
  vouched_at timestamptz not null,
  constraint person_vouch_pk primary key (tenant_id, id),
  constraint person_vouch_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint person_vouch_vouched_by_fk foreign key (tenant_id, vouched_by) references person (tenant_id, id),
  constraint person_vouch_another_check check (vouched_by <> person_id)
);
create index person_vouch_person_idx on person_vouch (tenant_id, person_id);
select countersign_protect('person_vouch');
select countersign_append_only('person_vouch');

comment on table person_vouch is 'An admin of another hand says that a person is somebody of their own. Insert-only.';
comment on column person_vouch.tenant_id is 'The tenant it belongs to.';
comment on column person_vouch.id is 'UUIDv7.';
comment on column person_vouch.person_id is 'The person that is vouched for.';
comment on column person_vouch.vouched_by is 'The admin of another hand.';
comment on column person_vouch.vouched_at is 'When; whoever comes in anew after it is vouched for anew.';

-- ---------------------------------------------------------------------------------------------------------------
-- On whose word an issuer is believed
-- ---------------------------------------------------------------------------------------------------------------

create table issuer_standing (
  tenant_id uuid not null,
  id uuid not null,
  issuer_id uuid not null,
  how text not null,
  person_id uuid not null,
  since timestamptz not null,
  constraint issuer_standing_pk primary key (tenant_id, id),
  constraint issuer_standing_issuer_fk foreign key (tenant_id, issuer_id) references issuer (tenant_id, id),
  constraint issuer_standing_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint issuer_standing_how_check check (how in ('alone', 'two_people', 'confirmed'))
);
create index issuer_standing_issuer_idx on issuer_standing (tenant_id, issuer_id, since desc, id desc);
select countersign_protect('issuer_standing');
select countersign_append_only('issuer_standing');

comment on table issuer_standing is 'Who put an issuer in force; the last row counts. One that a hand put in force alone makes nobody known. Insert-only.';
comment on column issuer_standing.tenant_id is 'The tenant it belongs to.';
comment on column issuer_standing.id is 'UUIDv7.';
comment on column issuer_standing.issuer_id is 'The issuer.';
comment on column issuer_standing.how is 'alone (nobody of another hand could confirm it), two_people (a confirmed change), or confirmed (later, by a person of another hand).';
comment on column issuer_standing.person_id is 'Who put it in force, or confirmed it.';
comment on column issuer_standing.since is 'Since when.';

-- Those that are there: believed where two people put them in force, else set up alone by the last who wrote the settings.
insert into issuer_standing (tenant_id, id, issuer_id, how, person_id, since)
  select issuer.tenant_id, gen_random_uuid(), issuer.id,
         case when confirmed.closed_by is null then 'alone' else 'two_people' end,
         coalesce(confirmed.closed_by, settings.updated_by), issuer.created_at
    from issuer
    join sign_in_settings settings on settings.tenant_id = issuer.tenant_id
    left join lateral (
      select change.closed_by from change_request change
       where change.tenant_id = issuer.tenant_id and change.kind = 'sign_in' and change.state = 'applied'
         and change.payload::jsonb -> 'issuers' @> jsonb_build_array(jsonb_build_object('issuer_url', issuer.issuer_url))
       order by change.closed_at limit 1) confirmed on true;

-- ---------------------------------------------------------------------------------------------------------------
-- What a review keeps of it
-- ---------------------------------------------------------------------------------------------------------------

alter table review add column seat jsonb;
alter table review add constraint review_seat_check check (jsonb_typeof(seat) = 'object');
comment on column review.seat is 'By what the reviewer was known then, and with whom they share one vote: {shared_with, known_by}; null for those from before it was kept.';
