-- Asking for a simulation locks and reads in one statement, and writes by calls that travel together.

create function simulation_facts(of_plan uuid)
  returns table (now bigint, plan jsonb, row_version text, task jsonb, owner_id uuid, environment jsonb, autonomy jsonb,
                 tools jsonb, active uuid)
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  wanted_task uuid;
  autonomy_id uuid;
begin
  -- The task of a plan never changes, so it says what to lock.
  select p.task_id into wanted_task from plan p where p.tenant_id = tenant and p.id = of_plan;
  if not found then return; end if;
  -- Locks first, each a statement of its own: one that waited would otherwise read the rows of before it waited.
  select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant for share;
  perform from task k where k.tenant_id = tenant and k.id = wanted_task for update;
  perform from plan p where p.tenant_id = tenant and p.id = of_plan for update;
  return query
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
           jsonb_build_object(
             'id', p.id, 'state', p.state, 'agent_id', p.agent_id, 'person_id', p.person_id, 'on_behalf_of', p.on_behalf_of,
             'credential_id', p.credential_id),
           p.xmin::text || p.ctid::text,
           to_jsonb(k),
           g.owner_person_id,
           to_jsonb(e),
           (select jsonb_build_object('id', r.id, 'number', r.number, 'document', r.document, 'digest', r.digest, 'seal', r.seal)
              from autonomy_revision r where r.tenant_id = tenant and r.id = autonomy_id),
           (select coalesce(jsonb_agg(to_jsonb(v) order by h.tool_name), '[]')
              from plan_tool h join tool_version v on v.tenant_id = h.tenant_id and v.id = h.tool_version_id
             where h.tenant_id = tenant and h.plan_id = of_plan),
           (select s.id from simulation s
             where s.tenant_id = tenant and s.plan_id = of_plan and s.state in ('pending', 'running'))
      from plan p
      join task k on k.tenant_id = p.tenant_id and k.id = p.task_id
      join environment e on e.tenant_id = k.tenant_id and e.id = k.environment_id
      left join agent g on g.tenant_id = k.tenant_id and g.id = k.agent_id
     where p.tenant_id = tenant and p.id = of_plan;
end $$;
comment on function simulation_facts(uuid) is
  'Locks what a simulation of the plan is decided by (autonomy document, task, plan), in this order, and reads it; with the rights of the caller.';

create function simulation_insert(new_simulation jsonb) returns void
  language plpgsql as $$
begin
  insert into simulation (tenant_id, id, plan_id, plan_digest, decision_id, agent_id, person_id, on_behalf_of, credential_id, state,
                          fence, next_at, created_at)
  select countersign_current_tenant(), n.id, n.plan_id, n.plan_digest, n.decision_id, n.agent_id, n.person_id, n.on_behalf_of,
         n.credential_id, n.state, n.fence, n.next_at, n.created_at
    from jsonb_populate_record(null::simulation, new_simulation) n;
end $$;
comment on function simulation_insert(jsonb) is 'Inserts a simulation of the current tenant, with the rights of the caller.';

-- The task comes as the columns of its row, like every row that a function returns.
create or replace function plan_submission_facts(wanted_task uuid, wanted_tools text[])
  returns table (now bigint, task jsonb, owner_id uuid, environment jsonb, autonomy jsonb, tools jsonb, executors jsonb,
                 revision integer, live jsonb)
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  autonomy_id uuid;
begin
  -- Locks first, each a statement of its own: one that waited would otherwise read the rows of before it waited.
  select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant for share;
  perform from tool t where t.tenant_id = tenant and t.name = any (wanted_tools) order by t.name for share;
  perform from task k where k.tenant_id = tenant and k.id = wanted_task for update;
  perform from plan p where p.tenant_id = tenant and p.task_id = wanted_task and p.state = 'validated' for update;
  return query
    with counting as (
      select v.id, v.name, v.version, v.digest, v.definition
        from tool t
        join tool_version v on v.tenant_id = t.tenant_id and v.tool_id = t.id and v.version = t.version
       where t.tenant_id = tenant and t.name = any (wanted_tools) and not t.removed
    )
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
           case when k.id is not null then to_jsonb(k) end,
           g.owner_person_id,
           jsonb_build_object('id', e.id, 'name', e.name, 'production', e.production, 'version', e.version),
           case when r.id is not null then
             jsonb_build_object('id', r.id, 'number', r.number, 'document', r.document, 'digest', r.digest, 'seal', r.seal)
           end,
           (select coalesce(jsonb_agg(to_jsonb(counting)), '[]') from counting),
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'id', x.id, 'name', x.name, 'version', x.version, 'kind', xv.kind, 'url', xv.url,
                     'audience', xv.audience, 'shared_audience', xv.shared_audience, 'secret', xv.secret,
                     'digest', xv.digest)), '[]')
              from executor x
              join executor_version xv on xv.tenant_id = x.tenant_id and xv.executor_id = x.id and xv.version = x.version
             where x.tenant_id = tenant and x.environment_id = k.environment_id
               and x.name in (select counting.definition::jsonb ->> 'executor' from counting)),
           (select coalesce(max(p.revision), 0) + 1 from plan p where p.tenant_id = tenant and p.task_id = wanted_task),
           (select jsonb_build_object(
                     'id', p.id, 'revision', p.revision, 'digest', p.digest)
              from plan p where p.tenant_id = tenant and p.task_id = wanted_task and p.state = 'validated')
      from (values (tenant)) as own (id)
      left join task k on k.tenant_id = own.id and k.id = wanted_task
      left join agent g on g.tenant_id = k.tenant_id and g.id = k.agent_id
      left join environment e on e.tenant_id = k.tenant_id and e.id = k.environment_id
      left join autonomy_revision r on r.tenant_id = own.id and r.id = autonomy_id;
end $$;
