-- An entry and a decision name their subject and the things they happened in, as a list: no nullable column for each kind
-- of thing. What stands in the log is signed in its form, so that entries of the earlier one cannot be carried over.

do $$
begin
  if exists (select from audit_entry) or exists (select from decision) then
    raise exception 'This data folder is of a version before 0320: its audit log is signed in another form. Start with a new folder (COUNTERSIGN_DATA) and a new database, and found your tenants again.'
      using errcode = 'CS003';
  end if;
end $$;

-- ---------------------------------------------------------------------------------------------------------------
-- Audit entries
-- ---------------------------------------------------------------------------------------------------------------

drop function audit_append(uuid, text, text, jsonb, text, text, uuid, uuid, uuid, uuid, jsonb, bytea, bytea, text, text[]);
drop function audit_erase_payloads(integer);
drop index audit_entry_undecided_call_idx;
alter table audit_entry
  drop column task_id,
  drop column plan_id,
  drop column run_id,
  add column within jsonb not null constraint audit_entry_within_check check (jsonb_typeof(within) = 'array');
comment on column audit_entry.within is 'The things it happened in, outermost first: [{type, id}].';

-- Whatever belongs to a thing is sought by the outermost one that the thing belongs to: one index for all kinds.
create index audit_entry_root_idx on audit_entry (tenant_id, (within -> 0 ->> 'id'), occurred_at, id) where within <> '[]';
create index audit_entry_undecided_call_idx on audit_entry (tenant_id, occurred_at, id)
  where action = 'tool_call.decided' and decision_id is null;

create function audit_append(
  new_id uuid, new_level text, new_action text, new_actor jsonb, new_subject_type text, new_subject_id text,
  new_within jsonb, new_decision_id uuid, new_evidence jsonb, new_payload_digest bytea, new_salt bytea,
  new_payload text, digests text[]
) returns void
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  insert into audit_entry (tenant_id, id, level, action, actor, subject_type, subject_id, within, decision_id, evidence,
                           payload_digest)
  values (tenant, new_id, new_level, new_action, new_actor, new_subject_type, new_subject_id, new_within,
          new_decision_id, new_evidence, new_payload_digest);
  insert into audit_payload (tenant_id, entry_id, salt, payload) values (tenant, new_id, new_salt, new_payload);
  if digests <> '{}' then
    insert into audit_evidence (tenant_id, digest, entry_id)
    select distinct tenant, digest, new_id from unnest(digests) digest;
  end if;
end $$;

comment on function audit_append(uuid, text, text, jsonb, text, text, jsonb, uuid, jsonb, bytea, bytea, text, text[]) is
  'Inserts an entry of the current tenant with its payload and the index of its evidence, with the rights of the caller.';

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
    ),
    -- Some entries name their plan alone.
    live as materialized (
      select live_task.task_id::text as id from live_task
      union
      select plan.id::text from plan join live_task on plan.task_id = live_task.task_id
       where plan.tenant_id = countersign_current_tenant()
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
          and not exists (select from live where live.id = entry.within -> 0 ->> 'id')
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

-- ---------------------------------------------------------------------------------------------------------------
-- Decisions
-- ---------------------------------------------------------------------------------------------------------------

drop view decision_log;
alter table decision
  drop column task_id,
  drop column plan_id,
  drop column request_id,
  drop column run_id,
  add column subject_type text not null,
  add column subject_id text not null,
  add column within jsonb not null constraint decision_within_check check (jsonb_typeof(within) = 'array');
comment on column decision.subject_type is 'The kind of thing that it was taken about.';
comment on column decision.subject_id is 'The id of that thing. No foreign key: a decision is recorded before what it allows exists.';
comment on column decision.within is 'The things it was taken in, outermost first: [{type, id}].';

-- A decision on a single call is found by its entry: these two cost it nothing.
create index decision_root_idx on decision (tenant_id, (within -> 0 ->> 'id'), id) where within <> '[]';
create index decision_subject_idx on decision (tenant_id, subject_id, id) where within <> '[]';

create view decision_log with (security_invoker = true) as
  select
    tenant_id,
    jsonb_build_object(
      'labels', jsonb_build_object('tenant_id', tenant_id, subject_type || '_id', subject_id) || coalesce(
        (select jsonb_object_agg((thing ->> 'type') || '_id', thing -> 'id') from jsonb_array_elements(within) thing), '{}'),
      'decision_id', id,
      'bundles', jsonb_build_object('countersign', jsonb_build_object('revision', bundle_revision)),
      'path', 'countersign/' || entrypoint || '/decision',
      'input', input,
      'result', result,
      'timestamp', to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) as event
  from decision;

comment on view decision_log is 'Decisions as OPA logs its own, for tools that read those.';
comment on column decision_log.tenant_id is 'The tenant.';
comment on column decision_log.event is 'One event of OPA''s decision log.';

grant select on decision_log to countersign_app;
