-- Who stands in for somebody who is away: with the same roles, for dates, and never wider than the one who is away.

create table absence (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  delegate_id uuid not null,
  roles text[] not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  ended_by uuid,
  constraint absence_pk primary key (tenant_id, id),
  constraint absence_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint absence_delegate_fk foreign key (tenant_id, delegate_id) references person (tenant_id, id),
  constraint absence_ended_by_fk foreign key (tenant_id, ended_by) references person (tenant_id, id),
  constraint absence_persons_check check (person_id <> delegate_id),
  constraint absence_dates_check check (until_at > from_at and until_at > created_at),
  constraint absence_roles_check check (cardinality(roles) between 1 and 100),
  constraint absence_ended_check check ((ended_at is null) = (ended_by is null))
);
create index absence_delegate_idx on absence (tenant_id, delegate_id, until_at);
create index absence_person_idx on absence (tenant_id, person_id, until_at);
create index absence_created_idx on absence (tenant_id, created_at desc, id desc);
comment on table absence is 'A person hands reviewing roles to another for an absence.';
comment on column absence.tenant_id is 'The tenant it belongs to.';
comment on column absence.id is 'UUIDv7.';
comment on column absence.person_id is 'Who is away.';
comment on column absence.delegate_id is 'Who stands in.';
comment on column absence.roles is 'Which of their roles; each counts for as long as they hold it themselves.';
comment on column absence.from_at is 'From when.';
comment on column absence.until_at is 'Until when.';
comment on column absence.created_at is 'When it was handed over; on requests that were open before, it does not count.';
comment on column absence.ended_at is 'When it was taken back early; null where it was not.';
comment on column absence.ended_by is 'Who took it back.';
select countersign_protect('absence');
select countersign_changes_only('absence', 'ended_at', 'ended_by');
create trigger absence_set_once before update on absence
  for each row execute function countersign_refuse_unset('ended_at', 'ended_by');

alter table review add column on_loan_from uuid;
alter table review add constraint review_on_loan_from_fk
  foreign key (tenant_id, on_loan_from) references person (tenant_id, id);
comment on column review.on_loan_from is 'For whom the reviewer stood in, with whose roles; null where they are their own.';
