-- A test message says nothing of a Slack channel once the workspace or the app behind it has changed.

alter table incident_destination_check add column changed_at timestamptz;
comment on column incident_destination_check.checked_at is 'When the last test message was begun.';
comment on column incident_destination_check.changed_at is
  'When the Slack set-up behind the address last changed; a test begun before says nothing. Null for never.';

create or replace function incident_destination_due(at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from incident_destination_check due
     where due.checked_at <= clock_timestamp() - interval '1 day' or due.checked_at < due.changed_at
     order by due.checked_at >= due.changed_at nulls last, due.checked_at limit at_most;
  end;
comment on function incident_destination_due(integer) is
  'Addresses whose last test counts no more, then those that had none for a day, the oldest first. Whether they still belong to a destination is decided inside their tenant.';
