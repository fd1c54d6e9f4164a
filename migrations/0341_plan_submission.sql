-- A submission takes its locks and reads its facts in one statement, and writes its revision in another.

create function plan_submission_facts(wanted_task uuid, wanted_tools text[])
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
           case when k.id is not null then
             to_jsonb(k) || jsonb_build_object(
               'created_at', floor(extract(epoch from k.created_at) * 1000)::bigint,
               'updated_at', floor(extract(epoch from k.updated_at) * 1000)::bigint)
           end,
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

comment on function plan_submission_facts(uuid, text[]) is
  'Locks what a revision of the task is validated by (autonomy document, tools, task, live revision), in this order, and reads it; with the rights of the caller.';

create function plan_insert(new_plan jsonb, final_state text, tool_ids uuid[], tool_names text[], targets text[])
  returns void language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  insert into plan (tenant_id, id, task_id, revision, state, document, expanded, digest, errors, decision_id, agent_id,
                    person_id, on_behalf_of, credential_id, created_at, updated_at, headline, risk)
  select tenant, n.id, n.task_id, n.revision, 'draft', n.document, n.expanded, n.digest, n.errors, n.decision_id,
         n.agent_id, n.person_id, n.on_behalf_of, n.credential_id, n.created_at, n.updated_at, n.headline, n.risk
    from jsonb_populate_record(null::plan, new_plan) n;
  if final_state <> 'draft' then
    update plan set state = final_state where tenant_id = tenant and id = (new_plan ->> 'id')::uuid;
  end if;
  insert into plan_tool (tenant_id, plan_id, tool_version_id, tool_name)
  select tenant, (new_plan ->> 'id')::uuid, held.id, held.name from unnest(tool_ids, tool_names) as held (id, name);
  insert into plan_target (tenant_id, plan_id, target)
  select tenant, (new_plan ->> 'id')::uuid, held.target from unnest(targets) as held (target);
end $$;

comment on function plan_insert(jsonb, text, uuid[], text[], text[]) is
  'Inserts a revision as a draft, moves it to its state through the lifecycle, and keeps what it holds; with the rights of the caller.';
