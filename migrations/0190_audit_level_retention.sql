-- An audit level says how long the payload of an entry is kept. What is recorded is the same at each of them.
alter table audit_retention drop constraint audit_retention_pk;
alter table audit_retention add column level text;
alter table audit_retention add constraint audit_retention_level_check
  check (level in ('basic', 'detailed', 'full', 'full_with_evidence', 'critical'));

-- What a tenant had set goes on for each level, and is never shorter than a level's minimum.
insert into audit_retention (tenant_id, level, keep_days, set_at)
select rule.tenant_id, minimum.level, greatest(rule.keep_days, minimum.days), rule.set_at
  from audit_retention rule
 cross join (values ('basic', 30), ('detailed', 30), ('full', 90), ('full_with_evidence', 365), ('critical', 730)) minimum (level, days)
 where rule.level is null;
delete from audit_retention where level is null;

alter table audit_retention alter column level set not null;
alter table audit_retention add constraint audit_retention_pk primary key (tenant_id, level);
alter table audit_retention add constraint audit_retention_minimum_check check (keep_days >=
  case level when 'full' then 90 when 'full_with_evidence' then 365 when 'critical' then 730 else 30 end);

comment on table audit_retention is 'How long payloads are kept, by the level of their entry; without a row for ever.';
comment on column audit_retention.level is 'The audit level that the rule is for.';
comment on column audit_retention.keep_days is 'Days after which a payload is erased: from 30 for basic to 730 for critical at the least.';
comment on column audit_entry.level is 'How long its payload is kept (audit_retention); what is recorded is the same at each level. critical is break-glass.';

drop function audit_retention_tenants();
create function audit_retention_tenants() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select distinct rule.tenant_id, rule.tenant_id from audit_retention rule;
  end;
select countersign_system_function('audit_retention_tenants()');
comment on function audit_retention_tenants() is 'Tenants that erase payloads by a rule; id repeats the tenant.';

drop function audit_erase_payloads(integer);
create function audit_erase_payloads(at_most integer) returns table (tenant_id uuid, id uuid)
  language sql volatile security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    with live_task as materialized (
      select run.task_id from run
       where run.tenant_id = countersign_current_tenant() and run.finished_at is null
      union
      select request.task_id from approval_request request
       where request.tenant_id = countersign_current_tenant() and request.state in ('open', 'granted')
      union
      select incident.task_id from incident
       where incident.tenant_id = countersign_current_tenant() and incident.state <> 'reviewed'
    )
    delete from audit_payload payload
     using (
       select entry.tenant_id, entry.id
         from audit_retention rule
         join audit_entry entry
           on entry.tenant_id = rule.tenant_id
          and entry.level = rule.level
          and entry.occurred_at < clock_timestamp() - make_interval(days => rule.keep_days)
         join audit_payload kept on kept.tenant_id = entry.tenant_id and kept.entry_id = entry.id
        where rule.tenant_id = countersign_current_tenant()
          and not exists (
            select from live_task
             where live_task.task_id = coalesce(
               entry.task_id,
               (select plan.task_id from plan where plan.tenant_id = entry.tenant_id and plan.id = entry.plan_id)))
          and not exists (
            select from change_request change
             where change.tenant_id = entry.tenant_id and change.state = 'open'
               and entry.subject_type = 'change_request' and entry.subject_id = change.id::text)
        order by entry.occurred_at, entry.id
        limit at_most
     ) due
     where payload.tenant_id = due.tenant_id and payload.entry_id = due.id
     returning payload.tenant_id, payload.entry_id;
  end;
select countersign_system_function('audit_erase_payloads(integer)');
comment on function audit_erase_payloads(integer) is
  'Erases the current tenant''s payloads that the rule of their level no longer keeps, oldest first, and none of a task with a live request, run or incident, or of an open change; returns their entries.';
