-- Workers find what is due by one look over all kinds of work; NOTIFY wakes them sooner. No second queue stands beside the rows.
--
-- Every function below takes the same: rows due at or before `at`, the longest due first, at most so many; neither those
-- that the worker holds already nor those of tenants of which it holds enough. What is done is decided inside the tenant.

drop schema if exists pgboss cascade;

drop function run_due(integer);
create function run_advance_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select run.tenant_id, run.id from run
     where run.next_at is not null and run.next_at <= at
       and run.id <> all (held) and run.tenant_id <> all (full_tenants)
     order by run.next_at limit most;
  end;
select countersign_system_function('run_advance_due(timestamptz, integer, uuid[], uuid[])');
comment on function run_advance_due(timestamptz, integer, uuid[], uuid[]) is 'Runs whose time to be looked at has come, the longest due first.';

drop function simulation_due(integer);
create function simulation_execute_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select simulation.tenant_id, simulation.id from simulation
     where simulation.next_at is not null and simulation.next_at <= at
       and simulation.id <> all (held) and simulation.tenant_id <> all (full_tenants)
     order by simulation.next_at limit most;
  end;
select countersign_system_function('simulation_execute_due(timestamptz, integer, uuid[], uuid[])');
comment on function simulation_execute_due(timestamptz, integer, uuid[], uuid[]) is 'Simulations whose time to be looked at has come, the longest due first.';

drop function outbox_due(timestamptz, integer);
create function outbox_deliver_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select message.tenant_id, message.id from outbox_message message
     where message.state = 'pending' and message.next_attempt_at <= at
       and message.id <> all (held) and message.tenant_id <> all (full_tenants)
     order by message.next_attempt_at limit most;
  end;
select countersign_system_function('outbox_deliver_due(timestamptz, integer, uuid[], uuid[])');
comment on function outbox_deliver_due(timestamptz, integer, uuid[], uuid[]) is 'Messages to deliver, the longest due first.';

drop function slack_interaction_due(timestamptz, integer);
create function slack_interaction_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select interaction.tenant_id, interaction.id from slack_interaction interaction
     where interaction.done_at is null and interaction.next_attempt_at <= at
       and interaction.id <> all (held) and interaction.tenant_id <> all (full_tenants)
     order by interaction.next_attempt_at limit most;
  end;
select countersign_system_function('slack_interaction_due(timestamptz, integer, uuid[], uuid[])');
comment on function slack_interaction_due(timestamptz, integer, uuid[], uuid[]) is 'Slack interactions to work on, the longest due first.';

drop function change_request_expired(integer);
create function change_expire_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select change.tenant_id, change.id from change_request change
     where change.state = 'open' and change.expires_at <= at
       and change.id <> all (held) and change.tenant_id <> all (full_tenants)
     order by change.expires_at limit most;
  end;
select countersign_system_function('change_expire_due(timestamptz, integer, uuid[], uuid[])');
comment on function change_expire_due(timestamptz, integer, uuid[], uuid[]) is 'Changes whose time is over, the longest due first.';

drop function incident_overdue(integer);
create function incident_escalate_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select incident.tenant_id, incident.id from incident
     where incident.state <> 'reviewed' and incident.escalate_at <= at
       and incident.id <> all (held) and incident.tenant_id <> all (full_tenants)
     order by incident.escalate_at limit most;
  end;
select countersign_system_function('incident_escalate_due(timestamptz, integer, uuid[], uuid[])');
comment on function incident_escalate_due(timestamptz, integer, uuid[], uuid[]) is 'Incidents whose overdue review is to be escalated, the longest due first.';

drop function incident_page_due(integer);
create function incident_page_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select page.tenant_id, page.id from incident_page page
     where page.state = 'pending' and page.next_attempt_at <= at
       and page.id <> all (held) and page.tenant_id <> all (full_tenants)
     order by page.next_attempt_at limit most;
  end;
select countersign_system_function('incident_page_due(timestamptz, integer, uuid[], uuid[])');
comment on function incident_page_due(timestamptz, integer, uuid[], uuid[]) is 'Events for PagerDuty to send, the longest due first.';

drop function approval_expired(integer);
create function approval_expire_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from (
      (select request.tenant_id, request.id, request.expires_at as due_at from approval_request request
        where request.state = 'open' and request.expires_at <= at
          and request.id <> all (held) and request.tenant_id <> all (full_tenants)
        order by request.expires_at limit most)
      union all
      (select request.tenant_id, request.id, request.grant_expires_at from approval_request request
        where request.state = 'granted' and request.grant_expires_at <= at
          and request.id <> all (held) and request.tenant_id <> all (full_tenants)
        order by request.grant_expires_at limit most)
    ) due order by due.due_at limit most;
  end;
select countersign_system_function('approval_expire_due(timestamptz, integer, uuid[], uuid[])');
comment on function approval_expire_due(timestamptz, integer, uuid[], uuid[]) is 'Approval requests whose time is over, the longest due first.';

drop function approval_startable(integer);
create function approval_start_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from (
      (select request.tenant_id, request.id, request.start_at as due_at from approval_request request
        where request.state = 'granted' and request.start = 'at' and request.start_after is null
          and request.start_at <= at and request.grant_expires_at > clock_timestamp()
          and request.id <> all (held) and request.tenant_id <> all (full_tenants)
        order by request.start_at limit most)
      union all
      (select request.tenant_id, request.id, request.start_after from approval_request request
        where request.state = 'granted' and request.start in ('at', 'on_approval')
          and request.start_after <= at and request.grant_expires_at > clock_timestamp()
          and request.id <> all (held) and request.tenant_id <> all (full_tenants)
        order by request.start_after limit most)
    ) due order by due.due_at limit most;
  end;
select countersign_system_function('approval_start_due(timestamptz, integer, uuid[], uuid[])');
comment on function approval_start_due(timestamptz, integer, uuid[], uuid[]) is 'Granted requests whose time to start has come, the longest due first.';

drop function approval_reminder_due(integer);
create function approval_remind_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select reminder.tenant_id, reminder.request_id from approval_reminder reminder
     where reminder.settled_at is null and reminder.due_at <= at
       and reminder.request_id <> all (held) and reminder.tenant_id <> all (full_tenants)
     group by reminder.tenant_id, reminder.request_id
     order by min(reminder.due_at) limit most;
  end;
select countersign_system_function('approval_remind_due(timestamptz, integer, uuid[], uuid[])');
comment on function approval_remind_due(timestamptz, integer, uuid[], uuid[]) is 'Approval requests of which people are to be reminded, the longest due first.';

drop function incident_destination_due(integer);
create function incident_test_destination_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from incident_destination_check due
     where (due.checked_at <= at - interval '1 day' or (due.checked_at < due.changed_at and due.changed_at <= at))
       and due.id <> all (held) and due.tenant_id <> all (full_tenants)
     order by due.checked_at >= due.changed_at nulls last, due.checked_at limit most;
  end;
select countersign_system_function('incident_test_destination_due(timestamptz, integer, uuid[], uuid[])');
comment on function incident_test_destination_due(timestamptz, integer, uuid[], uuid[]) is 'Addresses whose last test counts no more, then those that had none for a day, the oldest first.';
