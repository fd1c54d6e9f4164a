-- A turn of a run takes its locks and reads its facts in one statement.

-- Finds the calls of a run that come next, however many came before.
create index run_step_next_idx on run_step (tenant_id, run_id, phase_index, batch_index, position)
  where kind = 'call' and state <> 'succeeded';

create function run_steps_ahead(of_run uuid) returns setof run_step
  language plpgsql stable as $$
declare
  tenant constant uuid := countersign_current_tenant();
  healthy_phase integer := -1;
  healthy_batch integer := -1;
  at_phase integer;
  at_batch integer;
  waiting uuid[];
begin
  -- Batches are found healthy in their order, so the first that was not comes after the last that was.
  select h.phase_index, h.batch_index into healthy_phase, healthy_batch
    from health_result h
   where h.tenant_id = tenant and h.run_id = of_run and h.verdict = 'healthy'
   order by h.phase_index desc, h.batch_index desc limit 1;
  select s.phase_index, s.batch_index into at_phase, at_batch
    from run_step s
   where s.tenant_id = tenant and s.run_id = of_run
     and (s.phase_index, s.batch_index) > (coalesce(healthy_phase, -1), coalesce(healthy_batch, -1))
   order by s.phase_index, s.batch_index limit 1;
  select array_agg(next.id) into waiting
    from (select s.id from run_step s
           where s.tenant_id = tenant and s.run_id = of_run and s.phase_index = at_phase and s.batch_index = at_batch
             and s.kind = 'call' and s.state <> 'succeeded'
           order by s.position limit 2) next;
  return query
    select s.* from run_step s where s.tenant_id = tenant and s.id = any (waiting)
    union
    select s.* from run_step s
     where s.tenant_id = tenant and s.run_id = of_run and (s.lease_until is not null or s.state = 'unknown')
    union
    select s.* from run_step s
     where s.tenant_id = tenant and s.run_id = of_run and s.phase_index = at_phase and s.batch_index = at_batch
       and (waiting is null or (cardinality(waiting) = 1 and s.kind = 'health_check'))
    order by position, health_round;
end $$;

comment on function run_steps_ahead(uuid) is
  'What a run that goes forward looks at: of its first batch that was not found healthy the next two calls, the health checks before the last call, and all steps once its calls succeeded; and the steps that are out or unknown.';

create function run_turn_facts(
  of_run uuid, of_task uuid, of_plan uuid, of_environment uuid, of_request uuid, wanted_tools text[],
  wanted_executors text[]
) returns json
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  bundle text;
  autonomy_id uuid;
begin
  -- Locks first, each a statement of its own: one that waited would otherwise read the rows of before it waited.
  select head.revision into bundle from bundle_head head for share;
  select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant for share;
  perform from tool t where t.tenant_id = tenant and t.name = any (wanted_tools) order by t.name for share;
  perform from task k where k.tenant_id = tenant and k.id = of_task for update;
  perform from plan p where p.tenant_id = tenant and p.id = of_plan for update;
  perform from executor x
    where x.tenant_id = tenant and x.environment_id = of_environment and x.name = any (wanted_executors)
    order by x.name for share;
  if of_request is not null then
    perform from approval_request q where q.tenant_id = tenant and q.id = of_request for update;
  end if;
  perform from run r where r.tenant_id = tenant and r.id = of_run for update;
  return (
    select json_build_object(
      'now', floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
      'bundle', bundle,
      'autonomy', (
        select json_build_object('id', a.id, 'number', a.number, 'document', a.document, 'digest', a.digest, 'seal', a.seal)
          from autonomy_revision a where a.tenant_id = tenant and a.id = autonomy_id),
      'tools', (
        select coalesce(json_agg(json_build_object(
                 'id', v.id, 'name', v.name, 'version', v.version, 'digest', v.digest, 'definition', v.definition)), '[]')
          from tool t
          join tool_version v on v.tenant_id = t.tenant_id and v.tool_id = t.id and v.version = t.version
         where t.tenant_id = tenant and t.name = any (wanted_tools) and not t.removed),
      'task', (select row_to_json(k) from task k where k.tenant_id = tenant and k.id = of_task),
      'plan', (
        select json_build_object(
                 'id', p.id, 'revision', p.revision, 'state', p.state, 'agent_id', p.agent_id, 'person_id', p.person_id,
                 'on_behalf_of', p.on_behalf_of, 'credential_id', p.credential_id,
                 'row_version', p.xmin::text || p.ctid::text)
          from plan p where p.tenant_id = tenant and p.id = of_plan),
      'environment', (
        select json_build_object('id', e.id, 'name', e.name, 'production', e.production, 'version', e.version)
          from environment e where e.tenant_id = tenant and e.id = of_environment),
      'executors', (
        select coalesce(json_agg(json_build_object(
                 'id', x.id, 'name', x.name, 'version', x.version, 'kind', xv.kind, 'url', xv.url, 'audience', xv.audience,
                 'shared_audience', xv.shared_audience, 'secret', xv.secret, 'digest', xv.digest)), '[]')
          from executor x
          join executor_version xv on xv.tenant_id = x.tenant_id and xv.executor_id = x.id and xv.version = x.version
         where x.tenant_id = tenant and x.environment_id = of_environment and x.name = any (wanted_executors)),
      'simulation', (
        select json_build_object('id', s.id, 'digest', s.digest)
          from simulation s where s.tenant_id = tenant and s.plan_id = of_plan
         order by (s.result is not null) desc, s.created_at desc, s.id desc limit 1),
      'run', (select row_to_json(r) from run r where r.tenant_id = tenant and r.id = of_run),
      'ahead', (select coalesce(json_agg(row_to_json(s)), '[]') from run_steps_ahead(of_run) s),
      'out', (
        select coalesce(json_agg(row_to_json(a)), '[]')
          from run_step s
          join step_attempt a on a.tenant_id = s.tenant_id and a.run_step_id = s.id and a.fence = s.fence
         where s.tenant_id = tenant and s.run_id = of_run and s.lease_until is not null),
      'halts', (
        select coalesce(json_agg(json_build_object('id', h.id, 'kind', h.kind, 'tool', h.tool_name) order by h.created_at, h.id), '[]')
          from (select active.* from halt active
                 where active.tenant_id = tenant and active.lifted_at is null
                   and (active.kind = 'tenant' or active.environment_id = of_environment
                        or active.tool_name = any (wanted_tools)
                        or active.agent_id in (
                          select k.agent_id from task k where k.tenant_id = tenant and k.id = of_task
                          union all
                          select p.agent_id from plan p where p.tenant_id = tenant and p.id = of_plan))
                 order by active.created_at, active.id limit 1000) h)));
end $$;

comment on function run_turn_facts(uuid, uuid, uuid, uuid, uuid, text[], text[]) is
  'Locks what stands before a run and then the run, in the order of locks (bundle, autonomy document, tools, task, plan, executors, request, run), and reads what its turn is decided from; with the rights of the caller.';

create function step_attempt_finish(
  of_attempt uuid, new_finished_at timestamptz, new_outcome text, new_effect text, new_result jsonb, new_error jsonb
) returns void
  language plpgsql as $$
begin
  update step_attempt
     set finished_at = new_finished_at, outcome = new_outcome, effect = new_effect, result = new_result, error = new_error
   where tenant_id = countersign_current_tenant() and id = of_attempt and outcome is null;
  if not found then
    raise exception 'attempt % is not out any more', of_attempt using errcode = 'CS001';
  end if;
end $$;

comment on function step_attempt_finish(uuid, timestamptz, text, text, jsonb, jsonb) is
  'Ends an attempt of the current tenant that is out, with the rights of the caller; SQLSTATE CS001 for any other.';
