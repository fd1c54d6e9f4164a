-- Destinations of incidents prove that they can be reached, and overdue reviews are told again until somebody acts.

create table incident_destination_check (
  tenant_id uuid not null,
  id uuid not null,
  address text not null,
  checked_at timestamptz not null,
  answered_at timestamptz,
  error text,
  constraint incident_destination_check_pk primary key (tenant_id, id),
  constraint incident_destination_check_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint incident_destination_check_address_key unique (tenant_id, address),
  constraint incident_destination_check_answered_at_check check (answered_at <= checked_at),
  constraint incident_destination_check_error_check check (error is not null or answered_at is not null)
);
create index incident_destination_check_due_idx on incident_destination_check (tenant_id, checked_at);
select countersign_protect('incident_destination_check');
select countersign_system_reads('incident_destination_check');
comment on table incident_destination_check is 'The last test message to each address of a destination of incidents, and whether the address took it.';
comment on column incident_destination_check.tenant_id is 'The tenant it belongs to.';
comment on column incident_destination_check.id is 'UUIDv7.';
comment on column incident_destination_check.address is 'A Slack channel by its id, or a mail address.';
comment on column incident_destination_check.checked_at is 'When the last test message was sent.';
comment on column incident_destination_check.answered_at is 'When the address last took one; null for never.';
comment on column incident_destination_check.error is 'Why the last one failed; null if the address took it.';

create function incident_destination_due(at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from incident_destination_check due
     where due.checked_at <= clock_timestamp() - interval '1 day'
     order by due.checked_at limit at_most;
  end;
select countersign_system_function('incident_destination_due(integer)');
comment on function incident_destination_due(integer) is
  'Addresses that had no test message for a day, the oldest first. Whether they still belong to a destination is decided inside their tenant.';

-- An overdue review is escalated each day, to one destination more each time, until somebody acts.
alter table incident add column escalations integer not null default 0
  constraint incident_escalations_check check (escalations >= 0);
alter table incident add column escalate_at timestamptz;
update incident set escalations = case when escalated_at is null then 0 else 1 end, escalate_at = review_due_at;
alter table incident alter column escalate_at set not null;
alter table incident add constraint incident_escalate_at_check check (escalate_at >= review_due_at);
comment on column incident.escalations is 'How many times the overdue review was escalated.';
comment on column incident.escalate_at is 'When the review is escalated next, unless somebody acts before.';
comment on column incident.escalated_at is 'When the overdue review was first escalated; null for never.';
select countersign_changes_only('incident', 'state', 'event_count', 'acknowledged_at', 'acknowledged_by', 'resolved_at',
  'resolved_by', 'post_mortem', 'reviewed_at', 'reviewed_by', 'review_comment', 'escalated_at', 'escalations', 'escalate_at');

drop index incident_due_idx;
create index incident_due_idx on incident (tenant_id, escalate_at, id) where state <> 'reviewed';
drop function incident_overdue(integer);
create function incident_overdue(at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select incident.tenant_id, incident.id from incident
     where incident.state <> 'reviewed' and incident.escalate_at <= clock_timestamp()
     order by incident.escalate_at limit at_most;
  end;
select countersign_system_function('incident_overdue(integer)');
comment on function incident_overdue(integer) is
  'Incidents whose overdue review is to be escalated now, the longest waiting first. Whether it is, is decided inside their tenant.';
