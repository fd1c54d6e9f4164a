-- An approval locks what it is about and reads it in one statement.

create function halts_applying(of_environment uuid, of_agents uuid[], of_tools text[]) returns table (id uuid, kind text)
  language sql stable as $$
  select halt.id, halt.kind from halt
   where halt.tenant_id = countersign_current_tenant() and halt.lifted_at is null
     and (halt.kind = 'tenant' or halt.environment_id = of_environment or halt.agent_id = any (of_agents)
          or halt.tool_name = any (of_tools))
   order by halt.created_at, halt.id limit 1000
$$;
comment on function halts_applying(uuid, uuid[], text[]) is
  'The halts in force that stop this environment, one of these agents or one of these tools; with the rights of the caller.';

create function agent_answerable(of_agent uuid, since timestamptz, credentials uuid[]) returns table (person_id uuid)
  language sql stable as $$
  select answerable.person_id from (
    select owner.person_id, 0 as rank, owner.since as at
      from agent_owner owner
     where owner.tenant_id = countersign_current_tenant() and owner.agent_id = of_agent
       and not exists (select from agent_owner next
                        where next.tenant_id = owner.tenant_id and next.agent_id = of_agent
                          and next.since > owner.since and next.since <= agent_answerable.since)
    union all
    -- The last use of a token is written once a minute.
    select token.created_by, 1, token.created_at from credential token
     where token.tenant_id = countersign_current_tenant() and token.agent_id = of_agent and token.kind = 'agent_token'
       and (token.id = any (credentials) or token.last_used_at >= agent_answerable.since - interval '2 minutes')
  ) answerable group by answerable.person_id order by min(rank), max(at) desc, answerable.person_id
$$;
comment on function agent_answerable(uuid, timestamptz, uuid[]) is
  'The people who answered for the agent since then, and those who made a token that speaks for it; with the rights of the caller.';

create function approval_facts(of_plan uuid, of_request uuid, hold boolean)
  returns table (now bigint, plan jsonb, row_version text, task jsonb, environment jsonb, revisions jsonb, simulation jsonb,
                 autonomy jsonb, tools jsonb, executors jsonb, promotion boolean, answerable jsonb, halts jsonb,
                 request jsonb, reviews jsonb, claim jsonb)
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  wanted_plan uuid := of_plan;
  wanted_task uuid;
  wanted_environment uuid;
  wanted_request uuid := of_request;
  tool_names text[];
  executor_names text[];
  autonomy_id uuid;
begin
  -- These columns never change, so they say what to lock.
  if of_request is not null then
    select r.plan_id into wanted_plan from approval_request r where r.tenant_id = tenant and r.id = of_request;
  end if;
  select p.task_id, k.environment_id into wanted_task, wanted_environment
    from plan p join task k on k.tenant_id = p.tenant_id and k.id = p.task_id
   where p.tenant_id = tenant and p.id = wanted_plan;
  if not found then return; end if;
  select array_agg(distinct t.tool_name), array_agg(distinct v.definition::jsonb ->> 'executor')
    into tool_names, executor_names
    from plan_tool t join tool_version v on v.tenant_id = t.tenant_id and v.id = t.tool_version_id
   where t.tenant_id = tenant and t.plan_id = wanted_plan;
  -- Locks first, each a statement of its own: one that waited would otherwise read the rows of before it waited.
  if hold then
    select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant for share;
    perform from tool t where t.tenant_id = tenant and t.name = any (tool_names) order by t.name for share;
    perform from task k where k.tenant_id = tenant and k.id = wanted_task for update;
    perform from plan p where p.tenant_id = tenant and p.id = wanted_plan for update;
    perform from executor x
      where x.tenant_id = tenant and x.environment_id = wanted_environment and x.name = any (executor_names)
      order by x.name for share;
    if of_request is null then
      select r.id into wanted_request from approval_request r
       where r.tenant_id = tenant and r.subject_id = wanted_plan and r.state in ('open', 'granted') for update;
    else
      perform from approval_request r where r.tenant_id = tenant and r.id = wanted_request for update;
    end if;
  else
    select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant;
  end if;
  return query
    with revision as (
      select p.id, p.revision, p.agent_id, p.person_id, p.on_behalf_of, p.credential_id
        from plan p where p.tenant_id = tenant and p.task_id = wanted_task
    ), submitter as (
      select k.agent_id, k.credential_id, k.created_at from task k where k.tenant_id = tenant and k.id = wanted_task
      union all
      select p.agent_id, p.credential_id, k.created_at from revision p, task k where k.tenant_id = tenant and k.id = wanted_task
    ), speaking as (
      select s.agent_id, min(s.created_at) as since, array_agg(s.credential_id) as credentials
        from submitter s where s.agent_id is not null group by s.agent_id
    )
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
           jsonb_build_object(
             'id', p.id, 'task_id', p.task_id, 'revision', p.revision, 'state', p.state, 'digest', p.digest,
             'agent_id', p.agent_id, 'person_id', p.person_id, 'on_behalf_of', p.on_behalf_of,
             'credential_id', p.credential_id),
           p.xmin::text || p.ctid::text,
           to_jsonb(k),
           to_jsonb(e),
           (select jsonb_agg(to_jsonb(other) order by other.revision) from revision other),
           (select to_jsonb(s) from simulation s where s.tenant_id = tenant and s.plan_id = wanted_plan
             order by (s.result is not null) desc, s.created_at desc, s.id desc limit 1),
           (select jsonb_build_object('id', r.id, 'number', r.number, 'document', r.document, 'digest', r.digest, 'seal', r.seal)
              from autonomy_revision r where r.tenant_id = tenant and r.id = autonomy_id),
           (select coalesce(jsonb_agg(to_jsonb(v) || jsonb_build_object('counts', v.version = t.version and not t.removed)), '[]')
              from tool t join tool_version v on v.tenant_id = t.tenant_id and v.tool_id = t.id
             where t.tenant_id = tenant and t.name = any (tool_names)
               and (v.version = t.version
                    or v.id in (select h.tool_version_id from plan_tool h where h.tenant_id = tenant and h.plan_id = wanted_plan))),
           (select coalesce(jsonb_agg(to_jsonb(xv) || jsonb_build_object('id', x.id, 'name', x.name)), '[]')
              from executor x
              join executor_version xv on xv.tenant_id = x.tenant_id and xv.executor_id = x.id and xv.version = x.version
             where x.tenant_id = tenant and x.environment_id = wanted_environment and x.name = any (executor_names)),
           exists (select from run r where r.tenant_id = tenant and r.plan_id = wanted_plan and r.phases = 'canary'
                     and r.state = 'completed'),
           (select coalesce(jsonb_object_agg(s.agent_id, (
                     select coalesce(jsonb_agg(a.person_id order by a.nr), '[]')
                       from agent_answerable(s.agent_id, s.since, s.credentials) with ordinality a (person_id, nr))), '{}')
              from speaking s),
           (select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'kind', h.kind) order by h.nr), '[]')
              from halts_applying(wanted_environment, (select array_agg(s.agent_id) from speaking s), tool_names)
                   with ordinality h (id, kind, nr)),
           (select to_jsonb(r) from approval_request r where r.tenant_id = tenant and r.id = wanted_request),
           (select coalesce(jsonb_agg(to_jsonb(w) order by w.created_at, w.id), '[]') from review w
             where w.tenant_id = tenant and w.request_id = wanted_request and w.replaced_at is null),
           (select to_jsonb(c) from approval_claim c
             where c.tenant_id = tenant and c.request_id = wanted_request and c.expires_at > clock_timestamp())
      from plan p
      join task k on k.tenant_id = p.tenant_id and k.id = p.task_id
      join environment e on e.tenant_id = k.tenant_id and e.id = k.environment_id
     where p.tenant_id = tenant and p.id = wanted_plan;
end $$;
comment on function approval_facts(uuid, uuid, boolean) is
  'Reads what an approval of a plan is about, and the request: the one that is asked for, or with a lock the live one of the plan. With hold it locks autonomy document, tools, task, plan, executors and request first, in this order. With the rights of the caller.';
