-- Impact reports: decisions of the last days, taken again with a change. A worker works a report out batch by batch.

create table impact_report (
  tenant_id uuid not null constraint impact_report_tenant_fk references tenant (id),
  id uuid not null,
  change_id uuid,
  asked_by uuid not null,
  phase text not null constraint impact_report_phase_check check (phase in ('waiting', 'working', 'done', 'cancelled')),
  since timestamptz not null,
  until timestamptz not null constraint impact_report_until_check check (until > since),
  change jsonb,
  bundle_revision text,
  progress jsonb not null,
  next_at timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint impact_report_pk primary key (tenant_id, id),
  constraint impact_report_change_fk foreign key (tenant_id, change_id) references change_request (tenant_id, id),
  constraint impact_report_asked_by_fk foreign key (tenant_id, asked_by) references person (tenant_id, id),
  constraint impact_report_subject_check check (change_id is not null or change is not null),
  constraint impact_report_due_check check ((next_at is null) = (phase in ('done', 'cancelled'))),
  constraint impact_report_finished_check check ((finished_at is null) = (next_at is not null))
);
create index impact_report_due_idx on impact_report (tenant_id, next_at) where next_at is not null;
create unique index impact_report_change_idx on impact_report (tenant_id, change_id) where change_id is not null;

comment on table impact_report is 'The decisions of some days, taken again as if a change had been in force.';
comment on column impact_report.tenant_id is 'The tenant it belongs to.';
comment on column impact_report.id is 'UUIDv7.';
comment on column impact_report.change_id is 'The change request it is about; null for a configuration that is not in force.';
comment on column impact_report.asked_by is 'Who asked for it: of a change request, its author.';
comment on column impact_report.phase is 'waiting, working, done or cancelled.';
comment on column impact_report.since is 'The earliest decision that it looks at.';
comment on column impact_report.until is 'Decisions from here on are left out.';
comment on column impact_report.change is 'Everything that the change moves, before and after; null until it is worked out from the change request.';
comment on column impact_report.bundle_revision is 'The policies that take the decisions again; null until the work begins.';
comment on column impact_report.progress is 'How far the work is, so that any worker can go on.';
comment on column impact_report.next_at is 'When its next batch is due; null once it is done or cancelled.';
comment on column impact_report.created_at is 'When it was asked for.';
comment on column impact_report.finished_at is 'When it was done or cancelled.';

select countersign_protect('impact_report');
select countersign_system_reads('impact_report');

create function impact_advance_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id
      from impact_report due
     where due.next_at <= at and due.id <> all (held) and due.tenant_id <> all (full_tenants)
     order by due.next_at limit most;
  end;
select countersign_system_function('impact_advance_due(timestamptz, integer, uuid[], uuid[])');
comment on function impact_advance_due(timestamptz, integer, uuid[], uuid[]) is 'Reports with a batch to work on, the longest due first.';
