-- Impact reports: decisions of the last days, taken again with a change. A worker works a report out batch by batch.

create table impact_report (
  tenant_id uuid not null constraint impact_report_tenant_fk references tenant (id),
  id uuid not null,
  change_id uuid,
  asked_by uuid not null,
  phase text not null constraint impact_report_phase_check
    check (phase in ('waiting', 'working', 'outdated', 'done', 'cancelled', 'failed')),
  since timestamptz not null,
  until timestamptz not null constraint impact_report_until_check check (until > since),
  change jsonb,
  bundle_revision text,
  stamp text,
  renewals integer not null default 0 constraint impact_report_renewals_check check (renewals >= 0),
  attempts integer not null default 0 constraint impact_report_attempts_check check (attempts >= 0),
  followed boolean not null default true,
  failure text constraint impact_report_failure_known
    check (failure in ('batch_failed', 'worker_lost', 'change_unreadable', 'policies_moved')),
  progress jsonb not null,
  next_at timestamptz,
  lease uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint impact_report_pk primary key (tenant_id, id),
  constraint impact_report_change_fk foreign key (tenant_id, change_id) references change_request (tenant_id, id),
  constraint impact_report_asked_by_fk foreign key (tenant_id, asked_by) references person (tenant_id, id),
  constraint impact_report_subject_check check (change_id is not null or change is not null),
  -- The report of a change request is looked at again after it was done, in case settings move. So is one that failed.
  constraint impact_report_due_check check (
    case when phase in ('waiting', 'working', 'outdated') then next_at is not null
         when phase in ('done', 'failed') then next_at is null or (change_id is not null and followed)
         else next_at is null end),
  constraint impact_report_lease_check check (lease is null or next_at is not null),
  constraint impact_report_failure_check check ((failure is null) = (phase <> 'failed')),
  constraint impact_report_finished_check check ((finished_at is null) = (phase in ('waiting', 'working', 'outdated')))
);
create index impact_report_due_idx on impact_report (tenant_id, next_at) where next_at is not null;
create unique index impact_report_change_idx on impact_report (tenant_id, change_id) where change_id is not null;

comment on table impact_report is 'The decisions of some days, taken again as if a change had been in force.';
comment on column impact_report.tenant_id is 'The tenant it belongs to.';
comment on column impact_report.id is 'UUIDv7.';
comment on column impact_report.change_id is 'The change request it is about; null for a configuration that is not in force.';
comment on column impact_report.asked_by is 'The person who asked for it: of a change request, its author.';
comment on column impact_report.phase is 'waiting, working, outdated (to be made anew), done, cancelled or failed.';
comment on column impact_report.since is 'The earliest decision that it looks at.';
comment on column impact_report.until is 'Decisions from here on are left out.';
comment on column impact_report.change is 'Everything that the change moves, before and after; null until it is worked out from the change request.';
comment on column impact_report.bundle_revision is 'The policies that take the decisions again; null until the work begins.';
comment on column impact_report.stamp is 'Names the settings that it was begun with; null until the work begins.';
comment on column impact_report.renewals is 'How often it was given up, or begun anew since settings or policies had moved.';
comment on column impact_report.attempts is 'How often its next batch was begun and not ended.';
comment on column impact_report.followed is 'Whether it is about settings as they stand: false once its change is closed.';
comment on column impact_report.failure is 'The reason why it was given up; null unless it failed.';
comment on column impact_report.progress is 'How far the work is, so that any worker can go on.';
comment on column impact_report.next_at is 'When a worker takes it next, or when its lease ends; null for never.';
comment on column impact_report.lease is 'The worker that has it; null for none.';
comment on column impact_report.created_at is 'When it was asked for.';
comment on column impact_report.finished_at is 'When it was done, cancelled or given up.';

select countersign_protect('impact_report');
select countersign_system_reads('impact_report');

create table impact_cell (
  tenant_id uuid not null constraint impact_cell_tenant_fk references tenant (id),
  report_id uuid not null,
  supposed boolean not null,
  tool text not null,
  environment text not null,
  mode text not null constraint impact_cell_mode_check check (mode in ('plan_only', 'canary_only', 'full_auto')),
  cell jsonb not null,
  constraint impact_cell_pk primary key (tenant_id, report_id, supposed, tool, environment, mode),
  constraint impact_cell_report_fk foreign key (tenant_id, report_id) references impact_report (tenant_id, id) on delete cascade
);

comment on table impact_cell is 'A cell of the lattice that a change makes looser, never satisfiable or always allowed.';
comment on column impact_cell.tenant_id is 'The tenant it belongs to.';
comment on column impact_cell.report_id is 'The report that found it.';
comment on column impact_cell.supposed is 'False if the environment has this mode with the change; true for how it would be in this mode.';
comment on column impact_cell.tool is 'Name of the tool.';
comment on column impact_cell.environment is 'Name of the environment.';
comment on column impact_cell.mode is 'The mode of the environment.';
comment on column impact_cell.cell is 'Both outcomes, what the cell becomes, and the parts that differ.';

select countersign_protect('impact_cell');

create table impact_group (
  tenant_id uuid not null constraint impact_group_tenant_fk references tenant (id),
  report_id uuid not null,
  kind_digest bytea not null constraint impact_group_kind_digest_check check (octet_length(kind_digest) = 32),
  kind jsonb not null,
  count integer not null constraint impact_group_count_check check (count > 0),
  estimate double precision not null constraint impact_group_estimate_check check (estimate > 0),
  examples jsonb not null constraint impact_group_examples_check check (jsonb_array_length(examples) between 1 and 5),
  constraint impact_group_pk primary key (tenant_id, report_id, kind_digest),
  constraint impact_group_report_fk foreign key (tenant_id, report_id) references impact_report (tenant_id, id) on delete cascade
);

comment on table impact_group is 'Decisions that come out otherwise with a change, in the same way.';
comment on column impact_group.tenant_id is 'The tenant it belongs to.';
comment on column impact_group.report_id is 'The report that found it.';
comment on column impact_group.kind_digest is 'SHA-256 of the text of kind.';
comment on column impact_group.kind is 'Gate, environment, tools, agent, both outcomes, the parts that differ and the rules.';
comment on column impact_group.count is 'How many of the decisions that were looked at.';
comment on column impact_group.estimate is 'How many of the whole period, as the sample says.';
comment on column impact_group.examples is 'The first of them, the oldest first.';

select countersign_protect('impact_group');

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
